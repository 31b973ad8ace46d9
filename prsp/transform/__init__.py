"""The data transformer: everything that knows Spark."""

from prsp.transform.java import INSTALL_JAVA, OLDEST_JAVA, Java, find_java
from prsp.transform.session import spark_session
from prsp.transform.workers import check_workers

__all__ = ["INSTALL_JAVA", "OLDEST_JAVA", "Java", "check_workers", "find_java", "spark_session"]

"""The engines that ship with prsp, each behind the contract of ``prsp.backend``."""

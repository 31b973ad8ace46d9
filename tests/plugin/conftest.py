"""The plugin's own tests run where it is installed, by test_plugin.py."""

collect_ignore = ["prsp-tiny"]

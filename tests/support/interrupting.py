"""A script that is interrupted while it searches."""

import signal
import subprocess
import sys
import threading
import time


def interrupted(script: str, *arguments: str) -> str:
    """What a script prints after Ctrl-C, a moment after it has said that it is ready."""
    process = subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)  # let the search begin
    process.send_signal(signal.SIGINT)
    watchdog = threading.Timer(60, process.kill)  # a search to depth 60 would never end
    watchdog.start()
    output, _ = process.communicate()
    watchdog.cancel()
    assert process.returncode == 0
    return output

# SPDX-License-Identifier: MIT
"""Runs the storm's images and shows what they counted.

stress.py OPERATIONS TIMES {IMAGE MACHINE}...: each image TIMES times; every time it must
print the same. The last line counts the stretches of the storm that passed and failed.
"""
import concurrent.futures
import os
import subprocess
import sys

# An image that is broken may hang. Sound ones do some 40 000 operations a second, on a machine that is not loaded.
LEAST_OPERATIONS_A_SECOND = 3000


class Image:
    def __init__(self, path, machine):
        self.path = path
        self.machine = machine

    def run(self, operations):
        """What it printed, and why it ended badly, or nothing."""
        command = ["qemu-system-arm", "-M", self.machine, "-display", "none", "-monitor", "none", "-serial", "stdio",
                   "-semihosting-config", f"enable=on,target=native,arg=stress,arg={operations}",
                   "-icount", "shift=6,align=off,sleep=off", "-kernel", self.path]
        limit = 30 + operations // LEAST_OPERATIONS_A_SECOND
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=limit, check=False, capture_output=True)
        except subprocess.TimeoutExpired as hung:
            return (hung.stdout or b"").decode(errors="replace"), f"hung: stopped after {limit} s"
        return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace").strip()

    def run_all(self, operations, times):
        return [self.run(operations) for _ in range(times)]

    def judge(self, outcomes):
        """Prints what came of it. Returns how many stretches passed and failed."""
        text, note = outcomes[0]
        print(self.path + ":")
        passed = failed = 0
        ended = False
        for line in text.splitlines():
            if line.startswith("stretches "):
                passed, failed = (int(part) for part in line.split()[1:])
                ended = True
            else:
                print(line)
        if not ended:
            print(f"FAIL did not come to its end: {note}")
            return passed, failed + 1
        if any(again != text for again, _ in outcomes[1:]):
            print("FAIL not the same a second time")
            failed += 1
        elif len(outcomes) > 1:
            passed += 1
        return passed, failed


def main(arguments):
    operations = int(arguments[0])
    times = int(arguments[1])
    images = [Image(*arguments[i:i + 2]) for i in range(2, len(arguments), 2)]
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        runs = pool.map(lambda image: image.run_all(operations, times), images)
        for image, outcomes in zip(images, runs):
            good, bad = image.judge(outcomes)
            passed += good
            failed += bad
            sys.stdout.flush()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


sys.exit(main(sys.argv[1:]))

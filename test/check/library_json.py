# SPDX-License-Identifier: MIT
"""library.json, read and followed as PlatformIO does: prints what is wrong with it."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile


def wrong(manifest):
    """What is wrong, apart from what the compiler finds."""
    if manifest["license"] != "MIT":
        yield f"license {manifest['license']}"
    with open("LICENSE") as licence:
        holder = re.search(r"^Copyright .* \d+ (.*)$", licence.read(), re.M)[1]
    if [author["name"] for author in manifest.get("authors", [])] != [holder]:
        yield f"the authors are not {holder}"
    for keyword in manifest["keywords"]:
        if not re.fullmatch(r"[a-z0-9+_. -]{1,50}", keyword):
            yield f"keyword '{keyword}' is not one"
    for path in manifest["export"]["include"]:
        if not os.path.exists(path):
            yield f"{path} does not exist"
    # Exported or not: what the build names must come along.
    build = manifest["build"]
    folders = [flag[2:] for flag in build["flags"] if flag.startswith("-I")]
    for path in [build["srcDir"], build["includeDir"], *folders]:
        if not os.path.isdir(path):
            yield f"{path} is no folder"
        if path.split("/")[0] not in manifest["export"]["include"]:
            yield f"{path} is not exported"


def compiles(manifest):
    """All sources of srcDir with the flags, and a program of the headers with includeDir alone."""
    build = manifest["build"]
    compiler = ["arm-none-eabi-g++", "-mcpu=cortex-m3", "-mthumb", "-Os", "-Wall", "-Wextra", "-Werror", "-fno-exceptions"]
    include = "-I" + build["includeDir"]
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for source in sorted(glob.glob(build["srcDir"] + "/**/*.c*", recursive=True)):
            objects.append(f"{folder}/{len(objects)}.o")
            subprocess.run([*compiler, *build["flags"], include, "-c", source, "-o", objects[-1]], check=True)
        subprocess.run(["arm-none-eabi-ar", "rcsD", f"{folder}/library.a", *objects], check=True)
        with open(f"{folder}/program.cpp", "w") as program:
            program.writelines(f"#include <{header}>\n" for header in manifest["headers"])
            program.write('extern "C" void _start() { (void)tickwheel_interrupt(); }\n')
        subprocess.run([*compiler, "-nostdlib", include, f"{folder}/program.cpp", f"{folder}/library.a", "-o",
                        f"{folder}/program"], check=True)


with open("library.json") as file:
    library = json.load(file)
errors = list(wrong(library))
print(*errors, sep="\n", end="\n" if errors else "")
compiles(library)
sys.exit(len(errors) != 0)

# SPDX-License-Identifier: MIT
"""Writes a list of the parts, SPDX 2.3 in JSON, to build/tickwheel.spdx.json: each source file of core/ and port/, with its
hashes and the licence of its first lines. A file without a licence is an error. The same commit gives the same bytes."""
import hashlib
import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path


def git(*arguments):
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout.split()


def digest(algorithm, data):
    return hashlib.new(algorithm, data).hexdigest()


def relation(element, kind, to):
    return {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": to}


version = ".".join(re.findall(r"^#define TICKWHEEL_VERSION_\w+ (\d+)$", Path("core/tickwheel/config.h").read_text(), re.M))
owner = re.search(r"^Copyright .*", Path("LICENSE").read_text(), re.M)[0]
files, without = [], []
for path in git("ls-files", "core", "port"):
    # A build reads no page and no picture.
    if path.endswith((".md", ".svg")):
        continue
    data = Path(path).read_bytes()
    licence = re.search(rb"SPDX-License-Identifier: ([\w.+-]+)", data[:200])
    if not licence:
        without.append(path)
        continue
    files.append({"SPDXID": f"SPDXRef-{re.sub(r'[^A-Za-z0-9.]', '-', path)}", "fileName": f"./{path}", "copyrightText": owner,
                  "checksums": [{"algorithm": name, "checksumValue": digest(name, data)} for name in ("SHA1", "SHA256")],
                  "licenseConcluded": licence[1].decode(), "licenseInfoInFiles": [licence[1].decode()]})
if without:
    sys.exit("no SPDX-License-Identifier: " + " ".join(without))
# As the standard has it: the hash of the sorted hashes.
code = digest("SHA1", "".join(sorted(file["checksums"][0]["checksumValue"] for file in files)).encode())
when = int(os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct")[0])
document = {
    "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"tickwheel-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/tickwheel-{version}-{code}",
    "creationInfo": {"created": datetime.fromtimestamp(when, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                     "creators": ["Tool: tickwheel-sbom.py"]},
    "packages": [{"SPDXID": "SPDXRef-tickwheel", "name": "tickwheel", "versionInfo": version,
                  "downloadLocation": "NOASSERTION", "filesAnalyzed": True,
                  "packageVerificationCode": {"packageVerificationCodeValue": code},
                  "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": owner,
                  "licenseInfoFromFiles": sorted({file["licenseConcluded"] for file in files})}],
    "files": files,
    "relationships": [relation("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-tickwheel"),
                      *(relation("SPDXRef-tickwheel", "CONTAINS", file["SPDXID"]) for file in files)]}
Path("build").mkdir(exist_ok=True)
Path("build/tickwheel.spdx.json").write_text(json.dumps(document, indent=1) + "\n")

#!/usr/bin/env python3
"""Follows the calls of a request through `shared/src`, in code order, and counts the files that it enters.

Usage: docs/request_path.py [--trace]. Needs rust-analyzer (`rustup component add rust-analyzer`) to resolve method
calls, and valgrind to record which functions a request really calls.

A request enters a file when a function in another file calls one of its functions for the first time. Consecutive calls
into the same file count as one entry. Not counted are `error/` and `schema/`, which every layer uses like a library,
and accessors and constructors: functions of at most MAX_ACCESSOR lines that call none of ours. Functions that the test
`one_request` does not call are skipped: other routes, rejected requests, races, faults.

Fails if a request exceeds LIMITS.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "shared/src"
UNCOUNTED = ("error.rs", "error/", "schema.rs", "schema/")
MAX_ACCESSOR = 6
START = ("lambda/http.rs", "handle_event")

# The highest allowed numbers of files and of entries into files. The event has an image, and a new viewer in its body.
# The list has a filter that uses an index.
LIMITS = {"POST": (40, 85), "GET": (31, 62)}
def executed(method):
    """Runs the test `one_request` under valgrind, and returns the service functions that it calls, as file and name."""
    build = ["cargo", "test", "--locked", "--test", "end_to_end", "--no-run", "--message-format=json"]
    messages = subprocess.run(build, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    binaries = [json.loads(line).get("executable") for line in messages if '"name":"end_to_end"' in line]
    with tempfile.NamedTemporaryFile("r") as file:
        valgrind = ["valgrind", "-q", "--tool=callgrind", "--toggle-collect=*measured_request*",
                    f"--callgrind-out-file={file.name}"]
        test = [next(filter(None, binaries)), "--ignored", "one_request"]
        subprocess.run(valgrind + test, cwd=ROOT, check=True, capture_output=True, env={**os.environ, "REQUEST": method})
        lines = [line for line in file if line.startswith(("fn=", "cfn="))]
    names = {re.sub(r"^c?fn=\(\d+\) <?|::h[0-9a-f]{16}|'\d+$|::\{\{closure\}\}", "", line.strip()) for line in lines}
    return {(file_of(name), name.rsplit("::", 1)[-1]) for name in names if name.startswith("capture_core::")}


def file_of(name):
    """Returns the file of `capture_core::module::Type as …>::name` or `capture_core::module::<impl …>::name`."""
    parts = re.match(r"capture_core::([\w:]*)", name)[1].split("::")
    while parts and not (SOURCES / f"{'/'.join(parts)}.rs").exists():
        parts.pop()
    return f"{'/'.join(parts)}.rs"


class Analyzer:
    """A client of rust-analyzer's language server."""

    def __init__(self):
        self.process = subprocess.Popen(["rust-analyzer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, cwd=ROOT)
        self.next_id = 0
        options = {"cachePriming": {"enable": False}, "checkOnSave": False, "files": {"watcher": "server"},
                   "cargo": {"buildScripts": {"enable": False}, "allTargets": False},
                   "procMacro": {"enable": False}}
        self.request("initialize", {"processId": None, "rootUri": ROOT.as_uri(), "initializationOptions": options,
                                    "capabilities": {"experimental": {"serverStatusNotification": True}}})
        self.send({"method": "initialized", "params": {}})
        while not self.is_ready(self.receive()):
            pass

    @staticmethod
    def is_ready(message):
        return message.get("method") == "experimental/serverStatus" and message["params"]["quiescent"]

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(length))
        if "id" in message and "method" in message:
            self.send({"id": message["id"], "result": None})
        return message

    def request(self, method, params):
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.next_id and "method" not in message:
                return message.get("result")


class Function:
    """A function of the service, with its call hierarchy item."""

    def __init__(self, item):
        self.item, self.name = item, item["name"]
        self.file = pathlib.Path(item["uri"].removeprefix("file://")).relative_to(SOURCES).as_posix()
        span = item["range"]
        self.lines = span["end"]["line"] - span["start"]["line"] + 1
        self.key = (self.file, item["selectionRange"]["start"]["line"])


def calls_of(analyzer, function):
    """Returns the service functions that a function calls, in code order."""
    found = []
    for call in analyzer.request("callHierarchy/outgoingCalls", {"item": function.item}) or []:
        if call["to"]["uri"].startswith(SOURCES.as_uri()):
            for callee in [Function(call["to"]), *implementations(analyzer, call["to"])]:
                found += [((span["start"]["line"], span["start"]["character"]), callee) for span in call["fromRanges"]]
    # The call hierarchy omits calls in macro arguments, such as those of join.
    path, start = SOURCES / function.file, function.item["range"]["start"]["line"]
    body = "".join(path.read_text().splitlines(keepends=True)[start:start + function.lines])
    for macro in re.finditer(r"join!\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", body):
        for call in re.finditer(r"(\w+)\(", macro.group()):
            before = body[:macro.start() + call.start()]
            position = (start + before.count("\n"), len(before) - before.rfind("\n") - 1)
            found += [(position, callee) for callee in functions_at(analyzer, path, position)]
    return [callee for _, callee in sorted(found, key=lambda call: call[0])]


def implementations(analyzer, item):
    """Returns the implementations of a trait method."""
    place = {"textDocument": {"uri": item["uri"]}, "position": item["selectionRange"]["start"]}
    found = analyzer.request("textDocument/implementation", place) or []
    starts = [(pathlib.Path(one["uri"].removeprefix("file://")), one["range"]["start"]) for one in found]
    # For a function that implements no trait, the analyzer returns its own location.
    others = [(path, start) for path, start in starts if (path.as_uri(), start) != (item["uri"], place["position"])]
    return [one for path, start in others for one in functions_at(analyzer, path, (start["line"], start["character"]))]


def functions_at(analyzer, path, position):
    """Returns the service functions that the name at a position refers to."""
    position = {"line": position[0], "character": position[1]}
    place = {"textDocument": {"uri": path.as_uri()}, "position": position}
    items = analyzer.request("textDocument/prepareCallHierarchy", place) or []
    return [Function(item) for item in items if item["uri"].startswith(SOURCES.as_uri())]


def first_function(analyzer, file, name):
    """Returns the function with a name in a file."""
    path = SOURCES / file
    for number, line in enumerate(path.read_text().splitlines()):
        if f"fn {name}(" in line:
            return functions_at(analyzer, path, (number, line.index(f"fn {name}(") + 3))[0]
    raise SystemExit(f"{file} has no function {name}")


def follow(analyzer, start, reached, trace):
    """Counts the entries into each file, by the functions in `reached`."""
    entered, visited, calls = [], set(), {}

    def callees(function):
        if function.key not in calls:
            calls[function.key] = [] if function.file.startswith(UNCOUNTED) else calls_of(analyzer, function)
        return calls[function.key]

    def is_counted(function):
        if (function.file, function.name) not in reached or function.file.startswith(UNCOUNTED):
            return False
        ours = [callee for callee in callees(function) if not callee.file.startswith(UNCOUNTED)]
        return bool(ours) or function.lines > MAX_ACCESSOR

    def enter(function, depth):
        visited.add(function.key)
        if trace:
            print(f"{'  ' * depth}{function.file}: {function.name}")
        previous = function.file
        for callee in callees(function):
            if callee.key in visited or not is_counted(callee):
                continue
            # Consecutive calls into the same file count as one entry.
            if callee.file not in (function.file, previous):
                entered.append(callee.file)
            previous = callee.file
            enter(callee, depth + 1)

    entered.append(start.file)
    enter(start, 0)
    return collections.Counter(entered)


def main():
    trace = "--trace" in sys.argv
    reached = {method: executed(method) for method in LIMITS}
    analyzer = Analyzer()
    start = first_function(analyzer, *START)
    is_within = True
    for method, limits in LIMITS.items():
        if trace:
            print(f"\n{method} /events")
        entries = follow(analyzer, start, reached[method], trace)
        often = {file: count for file, count in entries.items() if count > 2}
        is_within &= len(entries) <= limits[0] and entries.total() <= limits[1]
        print(f"{method} /events: {len(entries)} of {limits[0]} files, entered {entries.total()} of {limits[1]} times; more than twice: {often}")
    analyzer.process.kill()
    sys.exit(not is_within)


if __name__ == "__main__":
    main()

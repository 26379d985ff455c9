"""Shared code of infra/deploy and infra/remove: the stages, and wrappers for the `aws` and `sam` commands.

Needs Python 3.9 and no packages.
"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Parameters of each stage. The command line can override them for one deployment.
STAGES = json.loads((ROOT / "infra/stages.json").read_text(encoding="utf-8"))


def stop(problem):
    sys.exit(f"error: {problem}")


def show(command):
    return " ".join(shlex.quote(str(word)) for word in command)


def run(*command, cwd=None):
    """Runs a command and shows its output. Stops if it fails."""
    if subprocess.run([str(word) for word in command], cwd=cwd).returncode != 0:
        stop(f"this command failed, and the script stopped:\n  {show(command)}")


def aws(*arguments, missing=(), empty=()):
    """Runs an AWS CLI command and returns its JSON output. Returns None if its error contains one of `missing`, and an
    empty object if it contains one of `empty`."""
    command = ["aws", *map(str, arguments), "--output", "json"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        if any(text in result.stderr for text in missing):
            return None
        if any(text in result.stderr for text in empty):
            return {}
        stop(f"{result.stderr.strip()}\nThis command failed, and the script stopped:\n  {show(command)}")
    return json.loads(result.stdout) if result.stdout.strip() else {}


def choose_region():
    """Sets the region for all commands, from the environment or the AWS profile."""
    for tool, remedy in [("aws", "https://docs.aws.amazon.com/cli/"), ("sam", "pip install -r infra/requirements.txt")]:
        if shutil.which(tool) is None:
            stop(f"the command `{tool}` is missing. Install it: {remedy}")
    found = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
    if not found:
        found = subprocess.run(["aws", "configure", "get", "region"], capture_output=True, text=True).stdout.strip()
    if not found:
        stop("no region is set. Set AWS_REGION, such as AWS_REGION=eu-central-1.")
    os.environ["AWS_REGION"] = os.environ["AWS_DEFAULT_REGION"] = found
    return found


def stack_of(stage):
    return f"event-capture-{stage}"


def describe(stack):
    """Returns a stack's status, parameters and outputs. None if the stack does not exist."""
    found = aws("cloudformation", "describe-stacks", "--stack-name", stack, missing=["does not exist"])
    if found is None:
        return None
    described = found["Stacks"][0]
    return {
        "status": described["StackStatus"],
        "parameters": {one["ParameterKey"]: one["ParameterValue"] for one in described.get("Parameters", [])},
        "outputs": {one["OutputKey"]: one["OutputValue"] for one in described.get("Outputs", [])},
    }


def resources_of(stack):
    """Returns the names of a stack's existing resources, by logical ID."""
    found = aws("cloudformation", "describe-stack-resources", "--stack-name", stack)["StackResources"]
    kept = [one for one in found if one["ResourceStatus"] != "DELETE_COMPLETE" and one.get("PhysicalResourceId")]
    return {one["LogicalResourceId"]: one["PhysicalResourceId"] for one in kept}


def releases_of(stack):
    """Returns the S3 folder with the templates of all releases. SAM stores the code in the same bucket."""
    managed = describe("aws-sam-cli-managed-default")
    return None if managed is None else f"s3://{managed['outputs']['SourceBucket']}/{stack}/releases/"

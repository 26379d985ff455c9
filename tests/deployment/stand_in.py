"""Stands in for the commands `aws` and `sam`. It rejects whatever the real commands do not accept, and keeps its state
in the folder STAND_IN: the calls, the stacks, and the objects of S3.

The operations of `aws` and their parameters come from botocore, which the real command uses. The options of `sam` come
from its own package.
"""

import importlib
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
from importlib.metadata import version

# Names that the AWS CLI gives to services, and commands that it adds to their operations.
SERVICES = {"deploy": "codedeploy", "s3api": "s3"}
ADDED = {("cloudformation", "deploy"), ("logs", "tail"), ("sso", "login")}
RENAMED = {("sns", "subscribe"): {"--endpoint": "--notification-endpoint"}}
HIGH_LEVEL = {"cp": set(), "ls": set(), "rm": {"--recursive", "--quiet"}}
GLOBAL = {"--output", "--no-paginate", "--query", "--region"}
FLAGS = {"--no-paginate", "--recursive", "--quiet"}
ROOT = pathlib.Path(__file__).parents[2]
OUTPUTS = {"ApiUrl": "https://api.example", "TableName": "table-1", "BucketName": "bucket-1"}


def fail(message, status=254):
    sys.stderr.write(f"\n{message}\n")
    sys.exit(status)


def transformed(**parameters):
    """Returns the template as CloudFormation receives it, after SAM's transform."""
    os.environ.setdefault("AWS_DEFAULT_REGION", "us-east-1")
    from samtranslator.translator.transform import transform
    from samtranslator.yaml_helper import yaml_parse

    class Policies:
        """The managed policies that the transform needs."""

        def load(self):
            return {"AWSLambdaBasicExecutionRole": "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"}

    template = yaml_parse((ROOT / "template.yaml").read_text())
    for resource in template["Resources"].values():
        if resource["Type"] == "AWS::Serverless::Function":
            # `sam deploy` uploads the code and sets its location here.
            resource["Properties"]["CodeUri"] = "s3://bucket/code"
    return transform(template, parameters, Policies())


class State:
    """The files of the folder STAND_IN."""

    def __init__(self):
        self.folder = pathlib.Path(os.environ["STAND_IN"])

    def record(self, words):
        with open(self.folder / "calls.jsonl", "a") as calls:
            calls.write(json.dumps(words) + "\n")

    def stacks(self):
        file = self.folder / "stacks.json"
        return json.loads(file.read_text()) if file.exists() else {}

    def store(self, stacks):
        (self.folder / "stacks.json").write_text(json.dumps(stacks))

    def object(self, url):
        return self.folder / "s3" / url.removeprefix("s3://")


def options_of(words, flags=()):
    """Returns the values of options, which may be lists."""
    options, name = {}, None
    for word in words:
        if word.startswith("--"):
            name, separator, value = word.partition("=")
            options[name] = [value] if separator else []
        elif name is None or name in flags:
            raise ValueError(f"unexpected argument {word}")
        else:
            options[name].append(word)
    return options


def check_aws(words):
    """Checks a command of the AWS CLI like the real one. Returns its options."""
    service, operation, *rest = [*words, ""] if len(words) == 1 else words
    if service == "configure" or (service, operation) in ADDED:
        return {}
    if service == "s3":
        options = {word for word in rest if word.startswith("--")}
        if operation not in HIGH_LEVEL or options - HIGH_LEVEL[operation] - GLOBAL:
            raise ValueError(f"aws s3 {operation} has no {options}")
        return {"positional": [word for word in rest if not word.startswith("--")]}
    known = cached(f"aws-{service}-{operation}", lambda: operation_of(service, operation))
    if known is None:
        raise ValueError(f"aws {service} has no {operation}")
    if operation == "wait":
        if rest[0].replace("-", "_") not in known:
            raise ValueError(f"aws {service} wait has no {rest[0]}")
        return {}
    flags = set(known["flags"])
    allowed = set(known["options"]) | GLOBAL | {f"--no-{name[2:]}" for name in flags}
    options = options_of(rest, FLAGS | flags)
    if set(options) - allowed:
        raise ValueError(f"aws {service} {operation} has no {set(options) - allowed}")
    if set(known["required"]) - set(options):
        raise ValueError(f"aws {service} {operation} needs {set(known['required']) - set(options)}")
    return {name: values[0] if values else None for name, values in options.items()}


def operation_of(service, operation):
    """Returns the options of an operation, or the names of the waiters. None if the service does not have it."""
    import botocore.session
    from botocore import xform_name

    session = botocore.session.get_session()
    renamed = RENAMED.get((service, operation), {})
    service = SERVICES.get(service, service)
    if operation == "wait":
        return session.create_client(service, region_name="us-east-1").waiter_names
    model = session.get_service_model(service)
    by_name = {xform_name(name, "-"): name for name in model.operation_names}
    if operation not in by_name:
        return None
    shape = model.operation_model(by_name[operation]).input_shape
    option = lambda name: renamed.get(f"--{xform_name(name, '-')}", f"--{xform_name(name, '-')}")
    members = {option(name): member for name, member in (shape.members if shape else {}).items()}
    flags = [name for name, member in members.items() if member.type_name == "boolean"]
    return {"options": list(members), "flags": flags, "required": [option(name) for name in (shape.required_members if shape else [])]}


def cached(name, compute):
    """Returns what the packages know, from a file after the first use: they take a second to load."""
    folder = pathlib.Path(tempfile.gettempdir()) / f"stand-in-{version('botocore')}-{version('aws-sam-cli')}"
    file = folder / f"{name}.json"
    if not file.exists():
        folder.mkdir(exist_ok=True)
        (part := folder / f"{name}.{os.getpid()}").write_text(json.dumps(compute()))
        part.replace(file)
    return json.loads(file.read_text())


def check_sam(words):
    """Checks a SAM command like the real one. Returns its options."""
    command, *rest = words

    def allowed_options():
        cli = importlib.import_module(f"samcli.commands.{command}.command").cli
        return [text for parameter in cli.params for text in (*parameter.opts, *parameter.secondary_opts)]

    allowed = set(cached(f"sam-{command}", allowed_options))
    options = options_of(rest)
    if set(options) - allowed:
        raise ValueError(f"sam {command} has no {set(options) - allowed}")
    return options


def aws(state, words):
    options = check_aws(words)
    service, operation = words[:2]
    stacks = state.stacks()
    if service == "configure":
        return None
    if words[:3] == ["s3", "rm", "--recursive"]:
        shutil.rmtree(state.object(options["positional"][-1]), ignore_errors=True)
        return None
    if words[:2] == ["s3", "cp"]:
        source, target = options["positional"]
        source, target = (state.object(text) if text.startswith("s3://") else pathlib.Path(text) for text in (source, target))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
        return None
    if operation == "describe-stacks":
        name = options["--stack-name"]
        if name not in stacks:
            fail(f"An error occurred (ValidationError): Stack with id {name} does not exist")
        stack = stacks[name]
        parameters = [{"ParameterKey": key, "ParameterValue": value} for key, value in stack["parameters"].items()]
        outputs = [{"OutputKey": key, "OutputValue": value} for key, value in stack["outputs"].items()]
        return {"Stacks": [{"StackStatus": stack["status"], "Parameters": parameters, "Outputs": outputs}]}
    if operation == "describe-stack-resource" and options["--logical-resource-id"] not in transformed()["Resources"]:
        fail(f"An error occurred (ValidationError): Resource {options['--logical-resource-id']} does not exist")
    if operation == "describe-stack-resources":
        left = [{"LogicalResourceId": "Table", "PhysicalResourceId": stack["table"]["name"], "ResourceStatus": "DELETE_FAILED"}
                for stack in [stacks[options["--stack-name"]]] if stack["table"]]
        return {"StackResources": [{"LogicalResourceId": "Api", "PhysicalResourceId": "api-1", "ResourceStatus": "DELETE_COMPLETE"}, *left]}
    tables = {stack["table"]["name"]: stack["table"] for stack in stacks.values() if stack.get("table")}
    backups = state.folder / "backups.json"
    if operation == "list-backups":
        # A deleted table leaves a backup.
        deleted = json.loads(backups.read_text()) if backups.exists() else []
        return {"BackupSummaries": [{"BackupArn": f"arn:{name}"} for name in deleted if name == options["--table-name"]]}
    if operation in ("restore-table-to-point-in-time", "restore-table-from-backup"):
        source = options.get("--source-table-name")
        if source and source not in tables:
            fail(f"An error occurred (TableNotFoundException): Table not found: {source}")
        if not source and options["--backup-arn"].removeprefix("arn:") not in json.loads(backups.read_text()):
            fail("An error occurred (BackupNotFoundException): Backup not found")
        # A table without a stack.
        name = options["--target-table-name"]
        state.store({**stacks, name: {"table": {"name": name, "protected": False, "status": "CREATING"}}})
        return {}
    if operation in ("describe-table", "delete-table", "update-table", "update-time-to-live", "update-continuous-backups"):
        table = tables.get(options["--table-name"])
        if table is None:
            fail("An error occurred (ResourceNotFoundException): Requested resource not found")
        status = table.pop("status", "ACTIVE")
        if operation == "describe-table":
            state.store(stacks)
            names = re.findall(r"IndexName: (\w+)", (ROOT / "template.yaml").read_text())
            indexes = [{"IndexName": name} for name in names if name != os.environ.get("WITHOUT_INDEX")]
            stream = f"arn:{table['name']}/stream" if table.get("stream") else None
            return {"Table": {"TableStatus": status, "DeletionProtectionEnabled": table["protected"], "GlobalSecondaryIndexes": indexes, "LatestStreamArn": stream}}
        if status != "ACTIVE":
            fail("An error occurred (ResourceInUseException): Table is being created")
        if operation == "delete-table" and table["protected"]:
            fail("An error occurred (ValidationException): Resource cannot be deleted as it is currently protected against deletion")
        if operation == "delete-table":
            next(stack for stack in stacks.values() if stack.get("table") is table)["table"] = None
            backups.write_text(json.dumps([table["name"]]))
        elif "--no-deletion-protection-enabled" in options:
            table["protected"] = False
        table["stream"] = table.get("stream") or "--stream-specification" in options
        state.store(stacks)
        return {}
    if operation == "delete-stack":
        state.store({name: stack for name, stack in stacks.items() if name != options["--stack-name"]})
    if operation == "head-object" and not state.object(f"s3://{options['--bucket']}/{options['--key']}").exists():
        fail("An error occurred (404) when calling the HeadObject operation: Not Found")
    if operation == "list-object-versions":
        file = state.folder / "versions.json"
        return json.loads(file.read_text()) if file.exists() else {}
    if operation == "delete-objects":
        (state.folder / "versions.json").unlink()
    if service == "dynamodb" and operation in os.environ.get("ALLOWED", ""):
        fail("An error occurred (ConditionalCheckFailedException): The conditional request failed")
    if operation in ("put-item", "transact-write-items"):
        fail("An error occurred (AccessDeniedException): not authorized to perform dynamodb:PutItem")
    answers = {
        "get-caller-identity": {"Account": "123456789012", "Arn": "arn:aws:iam::123456789012:user/me"},
        "get-account-settings": {"AccountLimit": {"ConcurrentExecutions": int(os.environ.get("CONCURRENCY", "1000"))}},
        "list-subscriptions-by-topic": {"Subscriptions": [{"SubscriptionArn": os.environ.get("SUBSCRIPTION", "arn:confirmed")}]},
        "create-topic": {"TopicArn": "arn:aws:sns:eu-central-1:123456789012:" + str(options.get("--name"))},
        "describe-stack-resource": {"StackResourceDetail": {"PhysicalResourceId": f"{options.get('--logical-resource-id')}-1"}},
        "list-role-policies": {"PolicyNames": ["StampsFunctionRolePolicy0"]},
        "get-role-policy": {"PolicyDocument": {"Statement": []}},
        "get-federation-token": {"Credentials": {"AccessKeyId": "id", "SecretAccessKey": "key", "SessionToken": "token"}},
    }
    return answers.get(operation, {})


def sam(state, words):
    options = check_sam(words)
    if words[0] == "package":
        stacks = state.stacks()
        stacks["aws-sam-cli-managed-default"] = {"status": "CREATE_COMPLETE", "parameters": {}, "outputs": {"SourceBucket": "sam-bucket"}}
        state.store(stacks)
        target = pathlib.Path(options["--output-template-file"][0])
        target.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "template.yaml", target)
    if words[0] == "deploy":
        stacks, name = state.stacks(), options["--stack-name"][0]
        from samcli.cli.types import CfnParameterOverridesType

        given = CfnParameterOverridesType().convert(tuple(options["--parameter-overrides"]), None, None)
        earlier = stacks.get(name, {"parameters": {}})["parameters"]
        status = stacks.get(name, {}).get("status")
        if status and not status.endswith("E_COMPLETE"):
            fail(f"Stack:{name} is in {status} state and can not be updated", 1)
        given = {**earlier, **given}
        if status and "ALARM" in os.environ and given.get("Deployment", "AllAtOnce") != "AllAtOnce":
            fail("Error: The deployment failed because one or more alarms are in the ALARM state", 1)
        is_protected = given["DeletionProtection"] == "true"
        table = given.get("ExistingTable")
        if table and given["ExistingTableStreamArn"] != f"arn:{table}/stream":
            fail(f"Error: the stream of {table} does not exist", 1)
        stack = {"parameters": given, "outputs": {**OUTPUTS, "TableName": table or "table-1"}}
        stack["table"] = None if table else {"name": "table-1", "protected": is_protected}
        if "FIRST_FAILS" in os.environ and not status:
            # CloudFormation deletes everything that it has created, except for a protected table.
            stack |= {"outputs": {}, "status": "ROLLBACK_FAILED" if is_protected else "ROLLBACK_COMPLETE"}
            stack["table"] = stack["table"] if is_protected else None
            state.store({**stacks, name: stack})
            fail("Error: Failed to create/update the stack", 1)
        state.store({**stacks, name: {**stack, "status": "UPDATE_COMPLETE" if status else "CREATE_COMPLETE"}})


def main(command):
    state, words = State(), sys.argv[1:]
    state.record([command, *words])
    try:
        if os.environ.get("FAILS", "none") in " ".join([command, *words]):
            fail("An error occurred (AccessDenied): not authorized")
        answer = {"aws": aws, "sam": sam}[command](state, words)
    except ValueError as error:
        fail(f"the stand-in refuses: {error}", 252)
    if "--query" in words:
        import jmespath

        found = jmespath.search(words[words.index("--query") + 1], answer)
        # The documents only query text, or a list with one.
        print(*found if isinstance(found, list) else [found], sep="\t")
    elif answer is not None:
        print(json.dumps(answer))

"""Tests of infra/deploy and infra/remove, and of the commands in the documents, with stand-ins for `aws` and `sam`."""

import json
import os
import pathlib
import re
import shlex
import stat
import subprocess
import sys
import time

import pytest
import stand_in

ROOT = pathlib.Path(__file__).parents[2]
OPERATIONS = (ROOT / "docs/operations.md").read_text()


class Account:
    """An AWS account that the stand-ins simulate."""

    def __init__(self, folder):
        self.folder = folder
        for command in ("aws", "sam"):
            file = folder / "bin" / command
            file.parent.mkdir(exist_ok=True)
            file.write_text(f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(pathlib.Path(__file__).parent)!r})\nimport stand_in\nstand_in.main({command!r})\n")
            file.chmod(file.stat().st_mode | stat.S_IXUSR)

    def run(self, command, *words, **options):
        return self.execute([sys.executable, ROOT / "infra" / command, *words], **options)

    def execute(self, command, answer="", region="eu-central-1", **variables):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        environment = {**kept, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "STAND_IN": str(self.folder), **variables}
        if region:
            environment["AWS_REGION"] = region
        return subprocess.run(command, env=environment, cwd=ROOT, input=answer, capture_output=True, text=True)

    def calls(self, prefix=""):
        file = self.folder / "calls.jsonl"
        lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return [words for words in lines if " ".join(words).startswith(prefix)]

    def stack(self, stage="staging"):
        return json.loads((self.folder / "stacks.json").read_text()).get(f"event-capture-{stage}")

    def release(self):
        return self.stack()["parameters"]["Release"]


@pytest.fixture
def account(tmp_path):
    yield Account(tmp_path)
    (ROOT / ".aws-sam/release.yaml").unlink(missing_ok=True)


def deployed(account, *words, stage="staging", **variables):
    result = account.run("deploy", stage, *words, **variables)
    assert result.returncode == 0, result.stderr + result.stdout
    return result.stdout


def refused(account, *words, command="deploy", **variables):
    result = account.run(command, *words, **variables)
    assert result.returncode == 1 and "Traceback" not in result.stderr, result.stderr
    return result.stderr


def wait_for_the_next_second(release):
    """A release is named after the second of its deployment."""
    while int(time.time()) <= int(release):
        time.sleep(0.05)


def test_first_and_further_deployments_go_to_the_same_stack(account):
    text = deployed(account)
    parameters = account.stack()["parameters"]
    assert parameters["Stage"] == "staging" and parameters["LogRetentionDays"] == "7"
    first = account.release()
    assert f"Release {first} is on event-capture-staging in eu-central-1, account 123456789012." in text
    assert "https://api.example/console/" in text and "--table table-1" in text and "Go back" not in text

    wait_for_the_next_second(first)
    text = deployed(account, "ReadShards=4", "TwitchBroadcasterId=")
    assert account.stack()["parameters"]["ReadShards"] == "4" and account.stack()["parameters"]["TwitchBroadcasterId"] == ""
    assert account.release() > first, "a new release publishes new versions, so that a parameter reaches the functions"
    assert f"infra/deploy staging --release {first} Deployment=AllAtOnce\n" in text

    deployed(account)
    assert account.stack()["parameters"]["ReadShards"] == "4", "a parameter stays until it is changed"
    assert [call[call.index("--stack-name") + 1] for call in account.calls("sam deploy")] == 3 * ["event-capture-staging"]


def test_an_earlier_release_is_deployed_without_a_build(account):
    deployed(account)
    first = account.release()
    wait_for_the_next_second(first)
    deployed(account)
    second, builds = account.release(), len(account.calls("sam build"))
    wait_for_the_next_second(second)
    deployed(account, "--release", first)
    assert len(account.calls("sam build")) == builds == 2
    assert account.release() > second, "the earlier code gets new versions"
    stored = {file.stem for file in (account.folder / "s3/sam-bucket/event-capture-staging/releases").iterdir()}
    assert stored == {first, second, account.release()}
    assert "no release 1790000000" in refused(account, "staging", "--release", "1790000000")


def test_production_needs_a_topic_and_an_answer(account):
    assert "AlarmEmail" in refused(account, "production")
    assert not account.calls("sam"), "nothing was built"
    deployed(account, "AlarmEmail=me@example.com", stage="production")
    topic = "arn:aws:sns:eu-central-1:123456789012:event-capture-production-alarms"
    assert account.stack("production")["parameters"]["AlarmTopicArn"] == topic
    assert account.calls("aws sns subscribe")[0][3:9] == ["--topic-arn", topic, "--protocol", "email", "--notification-endpoint", "me@example.com"]
    assert "--confirm-changeset" in account.calls("sam deploy")[0]
    deployed(account, "--yes", stage="production")
    assert "--no-confirm-changeset" in account.calls("sam deploy")[1]


def test_nothing_is_changed_by_a_command_that_cannot_succeed(account):
    for words, variables, message in [
        (["staging", "ReadShard=4"], {}, "ReadShard=4"),
        (["staging", "ReadShards"], {}, "Name=value"),
        (["staging", "Release=1"], {}, "Release=1"),
        (["staging"], {"region": None}, "Set AWS_REGION"),
        (["staging"], {"FAILS": "aws sts"}, "not authorized"),
        (["staging"], {"FAILS": "aws lambda get-account-settings"}, "not authorized"),
        (["staging", "ReservedConcurrency=100"], {}, "needs a limit of 2000"),
        (["staging", "MonthlyBudget=20", "BudgetEmail=me@example.com"], {"region": "eu-north-1"}, "cannot create a budget in eu-north-1"),
    ]:
        assert message in refused(account, *words, **variables)
    assert not account.calls("sam") and not account.calls("aws s3 ")
    assert account.run("deploy", "elsewhere").returncode == 2


def test_a_new_account_is_told_how_to_get_more_concurrency(account):
    text = deployed(account, CONCURRENCY="10")
    assert "this account runs 10 functions at once" in text and "request-service-quota-increase" in text
    command = next(line for line in text.splitlines() if "request-service-quota-increase" in line)
    stand_in.check_aws(shlex.split(command)[1:])


def test_a_failed_step_stops_the_deployment(account):
    for step in ("sam build", "sam package", "aws s3 cp", "sam deploy"):
        assert "the script stopped" in refused(account, "staging", FAILS=step), step
        assert account.calls()[-1][: len(step.split())] == step.split()
    assert "event-capture-staging" not in json.loads((account.folder / "stacks.json").read_text())


def test_removing_deletes_all_data_after_a_question(account):
    assert "there is no stack" in refused(account, "staging", command="remove")
    deployed(account, "AlarmEmail=me@example.com", "DeletionProtection=true")
    (account.folder / "versions.json").write_text(json.dumps({"Versions": [{"Key": "images/a", "VersionId": "1"}], "DeleteMarkers": [{"Key": "images/b", "VersionId": "2"}]}))
    before = len(account.calls())
    assert "nothing was deleted" in refused(account, "staging", command="remove", answer="yes\n")
    assert not [call for call in account.calls()[before:] if "delete" in " ".join(call) or "rm" in call]

    # An interrupted run is repeated from the start.
    assert "delete-stack" in refused(account, "staging", command="remove", answer="event-capture-staging\n", FAILS="delete-stack")
    result = account.run("remove", "staging", answer="event-capture-staging\n")
    assert result.returncode == 0, result.stderr
    objects = json.loads(account.calls("aws s3api delete-objects")[0][6])["Objects"]
    assert objects == [{"Key": "images/a", "VersionId": "1"}, {"Key": "images/b", "VersionId": "2"}]
    for step in ("dynamodb update-table", "dynamodb delete-table", "s3api delete-bucket", "sns delete-topic", "s3 rm", "cloudformation delete-stack"):
        assert account.calls(f"aws {step}"), step
    assert account.stack() is None


def test_the_protection_of_the_table_follows_the_first_deployment(account):
    deployed(account, "AlarmEmail=me@example.com", "--yes", stage="production")
    protections = [next(word for word in call if word.startswith("DeletionProtection")) for call in account.calls("sam deploy")]
    assert protections == ['DeletionProtection="false"', 'DeletionProtection="true"']
    assert account.stack("production")["table"]["protected"]
    deployed(account, "--yes", "ReadShards=4", stage="production")
    assert len(account.calls("sam deploy")) == 3 and account.stack("production")["table"]["protected"]


def test_a_failed_first_deployment_of_production_is_removed_and_repeated(account):
    words = ["production", "AlarmEmail=me@example.com", "--yes"]
    assert "the script stopped" in refused(account, *words, FIRST_FAILS="1")
    assert account.stack("production")["status"] == "ROLLBACK_COMPLETE", "no protected table is in the way"
    builds = len(account.calls("sam build"))
    assert "infra/remove production" in refused(account, *words)
    assert len(account.calls("sam build")) == builds, "refused before the build"
    assert "nothing was deleted" in refused(account, "production", command="remove", answer="yes\n")
    result = account.run("remove", "production", answer="event-capture-production\n")
    assert result.returncode == 0 and "left no data" in result.stdout, result.stderr
    assert account.stack("production") is None and not account.calls("aws dynamodb delete-table")
    deployed(account, *words[1:], stage="production")


def test_a_protected_table_of_a_failed_deployment_is_removed(account):
    stack = {"status": "ROLLBACK_FAILED", "parameters": {}, "outputs": {}, "table": {"name": "table-1", "protected": True}}
    (account.folder / "stacks.json").write_text(json.dumps({"event-capture-staging": stack}))
    result = account.run("remove", "staging", answer="event-capture-staging\n")
    assert result.returncode == 0 and "every record in table-1" in result.stdout, result.stderr
    assert account.calls("aws dynamodb delete-table") and account.stack() is None


@pytest.mark.parametrize("status, remedy", [
    ("ROLLBACK_COMPLETE", "infra/remove staging"),
    ("UPDATE_ROLLBACK_FAILED", "continue-update-rollback"),
    ("UPDATE_IN_PROGRESS", "cancel-update-stack"),
])
def test_a_stack_that_cannot_be_updated_is_not_built(account, status, remedy):
    stack = {"status": status, "parameters": {}, "outputs": {}, "table": None}
    (account.folder / "stacks.json").write_text(json.dumps({"event-capture-staging": stack}))
    text = refused(account, "staging")
    assert remedy in text and not account.calls("sam")
    for command in re.findall(r"aws .*", text):
        stand_in.check_aws(shlex.split(command)[1:])


def test_images_deleted_since_a_time_come_back(account):
    deployed(account)
    marker = lambda name, time, latest=True: {"Key": f"images/{name}", "VersionId": name, "IsLatest": latest, "LastModified": time}
    markers = [marker("old", "2026-11-20T10:00:00+00:00"), marker("new", "2026-11-24T10:00:00+00:00"), marker("replaced", "2026-11-24T10:00:00+00:00", False)]
    (account.folder / "versions.json").write_text(json.dumps({"DeleteMarkers": markers}))
    assert "needs a zone" in refused(account, "staging", "2026-11-24T00:00:00", command="restore-images")
    result = account.run("restore-images", "staging", "2026-11-24T00:00:00Z")
    assert result.stdout == "1 images restored in bucket-1.\n", result.stderr
    assert json.loads(account.calls("aws s3api delete-objects")[0][6])["Objects"] == [{"Key": "images/new", "VersionId": "new"}]


def script_of(*blocks):
    """Returns commands of docs/operations.md as a script, without builds and waits."""
    script = 'cargo() { echo "cargo $*"; }; sleep() { echo "sleep $*"; }\n' + "\n".join(re.sub("^   ", "", block, flags=re.MULTILINE) for block in blocks)
    for written, value in {"event-capture-production": "event-capture-staging", " production ": " staging ", "…": "2026-11-24T16:00:00Z", "<ApiUrl>": "https://api.example"}.items():
        script = script.replace(written, value)
    return ["bash", "-euc", script]


def blocks_of(heading):
    """Returns the blocks of commands in a section of docs/operations.md."""
    section = re.search(rf"^#+ {heading}\n(.*?)(?=^#|\Z)", re.sub("(?m)^# Which|^# Is", "", OPERATIONS), re.DOTALL | re.MULTILINE)[1]
    return re.findall(r"```sh\n(.*?)```", section, re.DOTALL)


def test_the_restore_of_deleted_records_runs_as_it_is_written(account):
    deployed(account)
    versions = account.folder / "versions.json"
    versions.write_text(json.dumps({"DeleteMarkers": [{"Key": "images/1", "VersionId": "1", "IsLatest": True, "LastModified": "2026-11-25T00:00:00Z"}]}))
    result = account.execute(script_of(*blocks_of("Operating a deployed service"), *blocks_of("Records deleted by mistake")))
    assert result.returncode == 0, result.stderr
    assert [line for line in result.stdout.splitlines() if line != "{}"][:3] == ["sleep 30", "1 images restored in bucket-1.", "cargo run --features deployed -- serve --table side --bucket Bucket-1 --port 3001"]
    assert account.calls("aws dynamodb restore-table")[0][4] == "table-1" and not versions.exists()
    assert account.calls("aws dynamodb delete-table")[0][4] == "side"


@pytest.mark.parametrize("is_deleted", [True, False], ids=["deleted", "existing"])
def test_a_lost_table_is_replaced_as_it_is_written(account, is_deleted):
    deployed(account, "Deployment=Linear10PercentEvery1Minute")
    first, builds = account.release(), len(account.calls("sam build"))
    stop_upkeep, of_existing, of_deleted, *others = blocks_of("A lost table")
    assert "TableNotFoundException" in account.execute(script_of("aws dynamodb restore-table-to-point-in-time --source-table-name gone --target-table-name restored")).stderr
    if is_deleted:
        account.execute(["aws", "dynamodb", "delete-table", "--table-name", "table-1"])
    wait_for_the_next_second(first)
    blocks = [*blocks_of("Operating a deployed service"), stop_upkeep, of_deleted if is_deleted else of_existing, *others]
    result = account.execute(script_of(*blocks), ALARM="1")
    assert result.returncode == 0, result.stderr
    parameters, outputs = account.stack()["parameters"], account.stack()["outputs"]
    assert outputs["TableName"] == parameters["ExistingTable"] == "event-capture-staging-restored"
    assert parameters["Deployment"] == "AllAtOnce" and len(account.calls("sam build")) == builds, "at once, with the present code"
    assert [call[2] for call in account.calls("aws events")] == ["disable-rule", "enable-rule"]
    wait_for_the_next_second(account.release())
    deployed(account, "ReadShards=4")
    assert account.stack()["parameters"]["ExistingTable"] == "event-capture-staging-restored"
    assert "lacks the indexes by_sum" in refused(account, "staging", WITHOUT_INDEX="by_sum")
    assert "must begin with event-capture-staging-" in refused(account, "staging", "ExistingTable=restored")
    assert "create an empty table" in refused(account, "staging", "ExistingTable=")


def test_no_canary_starts_while_its_alarm_is_on(account):
    deployed(account, "AlarmEmail=me@example.com", "--yes", stage="production")
    text = deployed(account, "--yes", stage="production")
    assert "alarms are in the ALARM state" in refused(account, "production", "--yes", ALARM="1")
    back = shlex.split(re.search(r"Go back: +infra/deploy (.*)", text)[1])
    deployed(account, "--yes", *back[1:], stage=back[0], ALARM="1")


def test_a_role_is_for_cloudformation(account):
    deployed(account, "--role", "arn:aws:iam::1:role/cloudformation")
    call = account.calls("sam deploy")[0]
    assert call[call.index("--role-arn") + 1] == "arn:aws:iam::1:role/cloudformation"
    deployed(account, "--role", "")
    assert "--role-arn" not in account.calls("sam deploy")[1], "the stack keeps its role"


def test_production_waits_until_somebody_receives_its_alarms(account):
    words = ["production", "AlarmEmail=me@example.com", "--yes"]
    assert "Confirm the subscription" in refused(account, *words, SUBSCRIPTION="PendingConfirmation")
    assert not account.calls("sam")
    # The role for GitHub may not see a topic of another name.
    assert "cannot see who receives" in deployed(account, *words[1:], stage="production", FAILS="list-subscriptions")


def test_going_back_keeps_the_present_table(account):
    deployed(account)
    first = account.release()
    earlier = account.folder / f"s3/sam-bucket/event-capture-staging/releases/{first}.yaml"
    present = earlier.read_text()
    # The earlier release had neither the last index nor a parameter.
    earlier.write_text(re.sub(r"        # Keys only:.*?ProjectionType: KEYS_ONLY}\n", "", present, flags=re.DOTALL))
    assert "IndexName: by_sum" not in earlier.read_text()
    wait_for_the_next_second(first)
    deployed(account)
    wait_for_the_next_second(account.release())
    deployed(account, "--release", first)
    assert (ROOT / ".aws-sam/release.yaml").read_text() == present
    earlier.write_text(re.sub(r"  TableClass:\n.*?(?=  FeedBatchingSeconds)", "", present, flags=re.DOTALL))
    wait_for_the_next_second(account.release())
    assert "lacks the parameters TableClass" in refused(account, "staging", "--release", first)


def test_rights_are_checked_with_the_policy_of_a_function(account):
    deployed(account)
    result = account.run("check-rights", "staging")
    assert result.returncode == 0 and result.stdout == "DynamoDB denies both writes.\n", result.stderr
    assert "allows transact-write-items outside" in refused(account, "staging", command="check-rights", ALLOWED="transact-write-items")


def commands(document):
    """Returns the commands in a document's blocks and spans that call the AWS CLI, SAM or a script of infra/."""
    text = document.read_text()
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    lines += re.findall(r"`((?:aws|sam|infra/\w+) [^`]+)`", text)
    for line in lines:
        for part in re.split(r"&& |\$\((?=aws)|\{ (?=aws)", line):
            words = part.strip().split(" #")[0]
            if words.startswith(("aws ", "sam ", "infra/")):
                yield words


DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_the_commands_of_the_documents_exist(document):
    for command in commands(document):
        words = shlex.split(re.sub(r"\"?\$\(\w+ \w+\)\"?|<[^>]*>|…", "x", command.rstrip(";}) ").removesuffix("--output text") if command.count("'") % 2 else command))
        name, rest = words[0], [word for word in words[1:] if word != "…"]
        assert (name, *rest[:1]) != ("sam", "deploy"), f"{document.name}: infra/deploy sets Release: {command}"
        if name == "aws":
            stand_in.check_aws(rest)
        elif name == "sam" and rest[0] in ("build", "package", "delete"):
            stand_in.check_sam(rest)
        elif name.startswith("infra/"):
            assert (ROOT / name).exists(), command

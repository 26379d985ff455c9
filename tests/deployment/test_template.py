"""Tests of the template after the SAM transform, which CloudFormation runs during a deployment.

Run by `.ci/run`, with the tools of infra/requirements.txt.
"""

import json
import pathlib
import re
from fnmatch import fnmatchcase

import pytest
import stand_in
from samtranslator.yaml_helper import yaml_parse

ROOT = pathlib.Path(__file__).parents[2]
BACKGROUND = {"UpkeepFunction", "SequencerFunction", "FollowerFunction"}


def transformed(**parameters):
    return stand_in.transformed(**parameters)["Resources"]


def of_type(resources, kind):
    return {name: resource for name, resource in resources.items() if resource["Type"] == kind}


def functions(resources):
    return of_type(resources, "AWS::Lambda::Function")


def test_a_release_publishes_a_version_of_each_function():
    first, second = (set(of_type(transformed(Release=release), "AWS::Lambda::Version")) for release in ("1792000001", "1792000002"))
    assert len(first) == len(second) == len(functions(transformed()))
    assert not first & second, "each release has versions of its own"


def test_without_a_release_the_code_decides():
    assert set(of_type(transformed(), "AWS::Lambda::Version")) == set(of_type(transformed(Release=""), "AWS::Lambda::Version"))


def test_old_versions_are_deleted():
    assert {version["DeletionPolicy"] for version in of_type(transformed(), "AWS::Lambda::Version").values()} == {"Delete"}


def test_alarms_are_attached_with_the_canary_alone():
    groups = of_type(transformed(), "AWS::CodeDeploy::DeploymentGroup")
    for group in groups.values():
        condition, attached, otherwise = group["Properties"]["AlarmConfiguration"]["Fn::If"]
        assert condition == "CanaryEnabled"
        assert [alarm["Name"]["Ref"] for alarm in attached["Alarms"]] == ["AlarmServerErrors", "AlarmCanary"]
        assert not otherwise.get("Alarms")


def test_background_functions_neither_wait_for_alarms_nor_raise_them():
    resources = transformed()
    groups = {name.removesuffix("DeploymentGroup") for name in of_type(resources, "AWS::CodeDeploy::DeploymentGroup")}
    assert groups == set(functions(resources)) - BACKGROUND
    for name, function in functions(resources).items():
        log = "BackgroundLogs" if name in BACKGROUND else "FunctionLogs"
        assert function["Properties"]["LoggingConfig"]["LogGroup"] == {"Ref": log}, name
    for name in ("ServerErrors", "FailedCalls"):
        assert resources[name]["Properties"]["LogGroupName"] == {"Ref": "FunctionLogs"}


def test_the_throttle_alarm_looks_at_every_operation_that_a_function_may_call():
    resources = transformed()
    looked_at = {
        dimension["Value"]
        for metric in resources["AlarmTableThrottles"]["Properties"]["Metrics"]
        for dimension in metric.get("MetricStat", {}).get("Metric", {}).get("Dimensions", [])
        if dimension["Name"] == "Operation"
    }
    text = json.dumps(resources)
    called = {name for name in ("BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem") if f"dynamodb:{name}" in text}
    # Condition checks are parts of transactions, which need the rights for their parts.
    assert looked_at == called | {"TransactWriteItems"}


def test_the_default_endpoint_is_closed_in_a_deployment_after_that_of_the_domain():
    body = transformed()["Api"]["Properties"]["Body"]
    assert '"disableExecuteApiEndpoint": {"Fn::If": ["ClosesDefaultEndpoint", true, false]}' in json.dumps(body)
    template = yaml_parse((ROOT / "template.yaml").read_text())
    assert template["Parameters"]["DomainOnly"]["Default"] == "false"
    assert template["Outputs"]["ApiUrl"]["Value"]["Fn::If"][0] == "ClosesDefaultEndpoint", "the URL works before the DNS record"


def test_production_needs_alarms():
    rule = yaml_parse((ROOT / "template.yaml").read_text())["Rules"]["ProductionNeedsAlarms"]
    assert rule["RuleCondition"] == {"Fn::Equals": [{"Ref": "Stage"}, "production"]}


def statements(resource, policy=0):
    return {one.get("Sid"): one for one in resource["Properties"]["Policies"][policy]["PolicyDocument"]["Statement"]}


def test_each_stage_has_a_role_that_trusts_one_environment():
    resources = yaml_parse((ROOT / "infra/github.yaml").read_text())["Resources"]
    role = resources["DeployRole"]
    conditions = role["Properties"]["AssumeRolePolicyDocument"]["Statement"][0]["Condition"]
    assert list(conditions) == ["StringEquals"], "no pattern"
    assert conditions["StringEquals"]["token.actions.githubusercontent.com:repository_id"] == {"Ref": "RepositoryId"}
    short, long = conditions["StringEquals"]["token.actions.githubusercontent.com:sub"]
    assert short == {"Fn::Sub": "repo:${Repository}:environment:${Stage}"}
    assert long["Fn::Sub"][0] == "repo:${Owner}@${OwnerId}/${Name}@${RepositoryId}:environment:${Stage}"


def test_the_deploying_role_cannot_extend_its_rights():
    resources = yaml_parse((ROOT / "infra/github.yaml").read_text())["Resources"]
    deploying = statements(resources["DeployRole"])
    assert resources["DeployRole"]["Properties"]["ManagedPolicyArns"] == [{"Ref": "OtherStage"}]
    assert deploying["CloudFormation"]["Condition"]["StringEquals"]["iam:PassedToService"] == "cloudformation.amazonaws.com"
    assert [one["Sid"] for one in deploying.values() if "iam:" in json.dumps(one["Action"])] == ["CloudFormation"], "it changes no role"
    found = statements(resources["CloudFormationRole"])
    boundary = {"StringEquals": {"iam:PermissionsBoundary": {"Ref": "Boundary"}}}
    giving = {"iam:AttachRolePolicy", "iam:CreateRole", "iam:PutRolePolicy", "iam:PutRolePermissionsBoundary"}
    for statement in found.values():
        actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
        if giving & set(actions) and statement["Effect"] == "Allow":
            assert statement["Condition"] == boundary
    assert found["RolesForFunctionsAndDeployments"]["Condition"]["StringEquals"]["iam:PassedToService"] == ["lambda.amazonaws.com", "codedeploy.amazonaws.com"]
    allowed = resources["Boundary"]["Properties"]["PolicyDocument"]["Statement"][0]["Action"]
    assert not any(action.split(":")[0] in ("iam", "sts", "organizations", "*") for action in allowed)


# What neither the role of staging nor a function that it deploys may touch, as parts of ARNs.
OTHER_STAGE = [
    "cloudformation:eu-west-1:1:stack/event-capture-production/1", "dynamodb:eu-west-1:1:table/event-capture-production-Table-1",
    "dynamodb:eu-west-1:1:table/event-capture-production-restored/index/by_time", "iam::1:role/event-capture-production-UsersFunctionRole-1",
    "lambda:eu-west-1:1:function:event-capture-production-UsersFunction-1:live", "logs:eu-west-1:1:log-group:event-capture-production-FunctionLogs-1:*",
    "s3:::event-capture-production-bucket-1/images/a", "s3:::aws-sam-cli-managed-default-1/event-capture-production/releases/1.yaml",
    "secretsmanager:eu-west-1:1:secret:event-capture-production-twitch-1", "sns:eu-west-1:1:event-capture-production-alarms",
    "events:eu-west-1:1:rule/event-capture-production-Upkeep-1", "sqs:eu-west-1:1:event-capture-production-DeadLetters-1",
    "cloudwatch:eu-west-1:1:alarm:event-capture-production-Alarm5xx-1",
    "codedeploy:eu-west-1:1:application:event-capture-production-ServerlessDeploymentApplication-1",
    "codedeploy:eu-west-1:1:deploymentgroup:event-capture-production-ServerlessDeploymentApplication-1/UsersFunctionDeploymentGroup",
]


@pytest.mark.parametrize("arn", OTHER_STAGE)
def test_neither_the_role_nor_a_function_of_a_stage_touches_the_other(arn):
    resources = yaml_parse((ROOT / "infra/github.yaml").read_text())["Resources"]
    for role in ("DeployRole", "CloudFormationRole"):
        assert {"Ref": "OtherStage"} in resources[role]["Properties"]["ManagedPolicyArns"]
    for policy in (resources[name]["Properties"]["PolicyDocument"]["Statement"] for name in ("OtherStage", "Boundary")):
        denials = [one for one in policy if one["Effect"] == "Deny" and one["Action"] == "*"]
        patterns = [resource["Fn::Sub"][0].replace("${AWS::Partition}", "aws").replace("${Other}", "production") for one in denials for resource in one["Resource"]]
        assert any(fnmatchcase(f"arn:aws:{arn}", pattern) for pattern in patterns)
        assert not any(fnmatchcase(f"arn:aws:{arn.replace('production', 'staging')}", pattern) for pattern in patterns)
        assert any("s3:PutBucket*" in one["Action"] and one["Effect"] == "Deny" for one in policy), "both stages share a bucket"


def test_a_boundary_bounds_every_role():
    for name, role in of_type(transformed(), "AWS::IAM::Role").items():
        assert role["Properties"]["PermissionsBoundary"]["Fn::If"][0] == "HasBoundary", name


def test_an_existing_table_replaces_the_own_one_everywhere():
    resources = transformed(ExistingTable="restored")
    assert resources["Table"]["Condition"] == "CreatesTable" and resources["Table"]["DeletionPolicy"] == "RetainExceptOnCreate"
    others = {name: json.dumps(resource) for name, resource in resources.items() if name not in ("Table", "TableName", "TableArn")}
    for name, text in others.items():
        assert '{"Ref": "Table"}' not in text and "${Table." not in text and "${Table}" not in text, name
        assert text.count('"Fn::GetAtt": ["Table", ') == text.count('"CreatesTable"'), name
    mappings = of_type(resources, "AWS::Lambda::EventSourceMapping").values()
    assert all(mapping["Properties"]["EventSourceArn"]["Fn::If"][2] == {"Ref": "ExistingTableStreamArn"} for mapping in mappings)


@pytest.mark.parametrize("name, value, kind, used", [
    ("TableClass", "STANDARD_INFREQUENT_ACCESS", "AWS::DynamoDB::Table", "TableClass"),
    ("FeedBatchingSeconds", 2, "AWS::Lambda::EventSourceMapping", "MaximumBatchingWindowInSeconds"),
    ("ProxySecret", "s" * 32, "AWS::Lambda::Function", "Environment"),
    ("PermissionsBoundaryArn", "arn:aws:iam::123456789012:policy/boundary", "AWS::IAM::Role", "PermissionsBoundary"),
    ("ExistingTableStreamArn", "arn:aws:dynamodb:eu-central-1:123456789012:table/a/stream/b", "AWS::Lambda::EventSourceMapping", "EventSourceArn"),
])
def test_a_parameter_reaches_its_resources(name, value, kind, used):
    for resources in (transformed(), transformed(**{name: value})):
        texts = [json.dumps(resource["Properties"].get(used)) for resource in of_type(resources, kind).values()]
        assert any(f'"Ref": "{name}"' in text or f"${{{name}}}" in text or str(value) in text for text in texts)


def test_every_alarm_of_a_person_says_when_it_ends():
    for name, alarm in of_type(transformed(), "AWS::CloudWatch::Alarm").items():
        properties = alarm["Properties"]
        assert ("OKActions" in properties) == ("AlarmActions" in properties) == (name != "AlarmCanary"), name
        stopped = name in ("AlarmUpkeepStopped", "AlarmSequencerStopped", "AlarmTwitchSilence")
        assert (properties["TreatMissingData"] == "breaching") == stopped, name


def test_actions_are_pinned_by_commit():
    for workflow in (ROOT / ".github/workflows").glob("*.yml"):
        for line in workflow.read_text().splitlines():
            if "uses:" in line:
                reference = line.split("@")[1].split(" ")[0]
                assert len(reference) == 40 and int(reference, 16), f"{workflow.name}: {line.strip()}"


def test_the_mappings_of_the_stream_keep_the_promises_of_the_feed():
    mappings = of_type(transformed(), "AWS::Lambda::EventSourceMapping")
    assert len(mappings) == 2, "a stream has two readers at most"
    changes, new_events = (mappings[name]["Properties"] for name in ("SequencerFunctionChanges", "FollowerFunctionNewEvents"))
    assert changes["TumblingWindowInSeconds"] > 0, "otherwise a batch lacks its shard, and a repeated one is appended twice"
    assert changes["BisectBatchOnFunctionError"] and new_events["BisectBatchOnFunctionError"], "one record takes no other along"
    assert changes["MaximumRecordAgeInSeconds"] == 82_800, "an hour before the stream trims them"
    assert new_events["MaximumRecordAgeInSeconds"] == 82_800 and new_events["MaximumRetryAttempts"] == -1, "payments are not lost"
    assert new_events["MaximumBatchingWindowInSeconds"] == 1, "at most one push a second"


def test_the_webhook_has_a_limit_of_its_own():
    resources = transformed()
    routes = resources["Api"]["Properties"]["Body"]["paths"]
    for key, limit in resources["ApiApiGatewayDefaultStage"]["Properties"]["RouteSettings"].items():
        method, path = key.split()
        assert {"ANY": "x-amazon-apigateway-any-method"}[method] in routes[path], "a deployment fails without the route"
        assert limit["ThrottlingRateLimit"] == {"Fn::If": ["TwitchEnabled", {"Ref": "TwitchRequestsPerSecond"}, 1]}


@pytest.mark.parametrize("alarms", ["all", "few"])
def test_the_dashboard_is_json_and_shows_every_alarm(alarms):
    resources = transformed(Alarms=alarms)
    body, variables = resources["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    for name, value in variables.items():
        condition, shown, none = value["Fn::If"]
        assert none == "" and condition == {"OtherAlarms": "AllAlarms", "TwitchAlarms": "TwitchEnabled"}[name]
        body = body.replace(f"${{{name}}}", none if alarms == "few" and name == "OtherAlarms" else shown["Fn::Sub"])
    widgets = json.loads(re.sub(r"\$\{[\w:.]+\}", "x", body))["widgets"]
    places = [(widget["x"], widget["y"]) for widget in widgets]
    assert len(places) == len(set(places)), "no widget covers another"
    conditions = {None, "TwitchEnabled"} | ({"AllAlarms"} if alarms == "all" else set())
    existing = {name for name, alarm in of_type(resources, "AWS::CloudWatch::Alarm").items() if alarm.get("Condition") in conditions}
    assert set(re.findall(r"\$\{(Alarm\w+)\.Arn\}", body)) == existing, "the canary's alarm notifies no one"
    assert alarms == "all" or len(existing) == 5 + 2


def test_the_price_counts_the_metrics_of_the_alarms():
    price = (ROOT / "tests/end_to_end/platform/price.rs").read_text()
    for constant, conditions in [("ALARM_METRICS", {None, "AllAlarms"}), ("FEW_ALARM_METRICS", {None})]:
        alarms = [alarm for alarm in of_type(transformed(), "AWS::CloudWatch::Alarm").values() if alarm.get("Condition") in conditions]
        metrics = sum(sum("MetricStat" in metric for metric in alarm["Properties"].get("Metrics", [])) or 1 for alarm in alarms)
        assert f" {constant}: f64 = {metrics}.0" in price


def test_the_documents_count_the_functions():
    aliases = of_type(transformed(Deployment="Linear10PercentEvery1Minute"), "AWS::Lambda::Alias").values()
    shifted = sum("CodeDeployLambdaAliasUpdate" in json.dumps(alias) for alias in aliases)
    assert f"CodeDeploy shifts each function by itself, {shifted} of them" in (ROOT / "docs/operations.md").read_text()


# The type of resource, or the output, that a command's option in the documents takes.
NAMED = {
    "--bucket": {"AWS::S3::Bucket", "BucketName"},
    "--function-name": {"AWS::Lambda::Function", "AWS::Lambda::Alias"},
    "--name": {"AWS::Events::Rule"},
    "--queue-url": {"AWS::SQS::Queue"},
    "--source-table-name": {"TableName"},
    "--table": {"TableName"},
    "--table-name": {"TableName"},
    "tail": {"AWS::Logs::LogGroup"},
}


def wrong_names(text, template):
    """Returns the uses of `id` and `out` with a resource or output that does not exist or does not fit the preceding
    option."""
    kinds = {"id": {name: resource["Type"] for name, resource in template["Resources"].items()}, "out": {name: name for name in template["Outputs"]}}
    uses = re.findall(r'([\w-]+)[= ]"\$\((id|out) (\w+)\)', text)
    return [(option, word, name) for option, word, name in uses if kinds[word].get(name) not in NAMED[option]]


def test_names_in_the_documents_fit_their_options():
    template = stand_in.transformed()
    for document in (ROOT / "docs").glob("*.md"):
        text = document.read_text()
        assert not wrong_names(text, template), document.name
        assert len(re.findall(r'"\$\((?:id|out) ', text)) == len(re.findall(r'[\w-]+[= ]"\$\((?:id|out) \w+\)', text)), document.name
    for wrong in ('--table "$(id Table)"', '--table "$(out Table)"', 'tail "$(id Bucket)"', '--source-table-name "$(id TableName)"'):
        assert wrong_names(wrong, template), wrong
    assert set(stand_in.OUTPUTS) == {name for name, output in template["Outputs"].items() if "Condition" not in output}


# The metrics that AWS documents for these namespaces, as far as they are used here.
METRICS = {
    "AWS/ApiGateway": {"4xx", "5xx", "Count", "IntegrationLatency", "Latency"},
    "AWS/DynamoDB": {"SystemErrors", "ThrottledRequests"},
    "AWS/Lambda": {"Duration", "Errors", "Invocations", "IteratorAge", "Throttles"},
    "AWS/SQS": {"ApproximateAgeOfOldestMessage", "ApproximateNumberOfMessagesVisible"},
}


def unknown_metrics(resources):
    """Returns the alarms' metrics that neither AWS nor a log filter publishes."""
    filters = of_type(resources, "AWS::Logs::MetricFilter").values()
    ours = {part["MetricName"] for one in filters for part in one["Properties"]["MetricTransformations"]}
    for name, alarm in of_type(resources, "AWS::CloudWatch::Alarm").items():
        properties = alarm["Properties"]
        metrics = [one["MetricStat"]["Metric"] for one in properties.get("Metrics", []) if "MetricStat" in one] or [properties]
        for metric in metrics:
            namespace = metric["Namespace"]
            if metric["MetricName"] not in (ours if isinstance(namespace, dict) else METRICS[namespace]):
                yield name, metric["MetricName"]


def test_the_metrics_of_the_alarms_exist():
    resources = transformed()
    assert not list(unknown_metrics(resources))
    resources["AlarmLatency"]["Properties"]["MetricName"] = "Latencies"
    resources["AlarmServerErrors"]["Properties"]["MetricName"] = "Errors"
    assert sorted(unknown_metrics(resources)) == [("AlarmLatency", "Latencies"), ("AlarmServerErrors", "Errors")]

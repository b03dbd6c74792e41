"""GraphQL and health checks."""

from tests.contract.routes.examples import Example

EXAMPLES = {
    "/graphql": Example(lambda: "/graphql", {"execute": {"query": "{ __typename }"}}),
    "/health/live": Example(lambda: "/health/live"),
    "/health/ready": Example(lambda: "/health/ready"),
}

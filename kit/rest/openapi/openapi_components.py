"""The fixed parts of the OpenAPI document; settings hand them to its generator, so nothing may be imported here."""

SECURITY_SCHEMES = {
    "publishable_key": {"type": "apiKey", "in": "header", "name": "x-publishable-api-key"},
    "bearer": {"type": "http", "scheme": "bearer", "description": "A JWT, or on /admin a secret API key."},
    "basic": {"type": "http", "scheme": "basic", "description": "A secret API key as the user name."},
    "session": {"type": "apiKey", "in": "cookie", "name": "connect.sid"},
}
ERROR_SCHEMA = {
    "type": "object",
    "required": ["type", "message"],
    "properties": {
        "code": {
            "type": "string",
            "enum": ["unknown_error", "invalid_request_error", "api_error", "insufficient_inventory"],
        },
        "type": {"type": "string"},
        "message": {"type": "string"},
        "details": {
            "type": "object",
            "description": "For programs, where a route says so.",
            "additionalProperties": True,
        },
    },
}

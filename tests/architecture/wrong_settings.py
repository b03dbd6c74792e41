"""Values that each variable of the environment cannot have, and what an operator reads of them."""

from typing import NamedTuple

NUMBERS = {
    "JWT_LIFETIME": 1,
    "CUSTOMER_JWT_LIFETIME": 1,
    "NEW_CARTS": 1,
    "NEW_CARTS_WINDOW": 1,
    "NEW_LINES": 1,
    "NEW_LINES_WINDOW": 1,
    "STORED_KIB": 1,
    "STORED_KIB_WINDOW": 1,
    "LOCK_TIMEOUT_MS": 1,
    "STATEMENT_TIMEOUT_MS": 0,
    "REQUEST_DATABASE_TIME_MS": 0,
    "DATABASE_POOL": 0,
    "REPLICA_MAX_LAG": 1,
    "SESSION_LIFETIME": 1,
    "HSTS_SECONDS": 0,
    "LOGIN_ATTEMPTS": 1,
    "LOGIN_ATTEMPTS_A_DAY": 1,
    "LOGIN_WINDOW": 1,
    "REGISTRATION_ATTEMPTS": 1,
    "REGISTRATION_WINDOW": 1,
    "GIFT_CARD_MISSES": 1,
    "GIFT_CARD_MISSES_WINDOW": 1,
    "PROMOTION_CODE_MISSES": 1,
    "PROMOTION_CODE_MISSES_WINDOW": 1,
    "RESET_ATTEMPTS": 1,
    "RESET_WINDOW": 1,
    "ORDER_LOOKUPS": 1,
    "ORDER_LOOKUPS_WINDOW": 1,
    "PAYMENT_SESSIONS": 1,
    "PAYMENT_SESSIONS_WINDOW": 1,
    "ORDER_TRANSFERS": 1,
    "ORDER_TRANSFERS_WINDOW": 1,
    "FLOOD_ATTEMPTS": 1,
    "FLOOD_WINDOW": 1,
    "GUEST_MAILS": 1,
    "GUEST_MAILS_WINDOW": 1,
    "MAX_RELATED_ROWS": 1,
    "MAX_ADDRESSES": 0,
    "MAX_METADATA": 1,
    "MAX_GRAPHQL_ANSWER": 1,
    "FULFILLMENT_PATIENCE": 1,
    "PAYMENT_PATIENCE": 1,
    "PAYMENT_LINES": 1,
    "COMPLETION_PATIENCE": 1,
    "UNCLAIMED_MONEY_LIFETIME": 1,
    "TAX_PROVIDER_TIMEOUT": 1,
    "LOW_STOCK": 0,
    "FIRST_ORDER_NUMBER": 1,
    "STORE_MAX_AGE": 0,
    "PRUNE_INTERVAL": 0,
    "RESUME_INTERVAL": 0,
    "RECOMPUTE_INTERVAL": 0,
    "DRAIN_SECONDS": 0,
}
"""The smallest number that each may be; the largest is 2147483647."""
CART_DAYS = {"GUEST_CART_DAYS": 36_500, "CUSTOMER_CART_DAYS": 36_500, "EMPTY_CART_DAYS": 36_500}
"""The largest number that each may be; the smallest is 1."""
BOUNDED = {
    "TRUSTED_PROXIES": 20,
    "METRICS_PORT": 65_535,
    "RETURN_WINDOW_DAYS": 36_500,
    "ERASURE_RETENTION_DAYS": 36_500,
    "INVOICE_RETENTION_DAYS": 36_500,
}
"""The largest number that each may be; the smallest is 0."""
SWITCHES = (
    "COMMERCE_ANSWERS_REQUESTS DATABASE_PREPARE THROTTLES_IN_REDIS SESSIONS_IN_REDIS TASKS_IN_REDIS "
    "SECURE_SSL_REDIRECT HSTS_INCLUDE_SUBDOMAINS HSTS_PRELOAD WEBHOOKS_TO_LOCAL_ADDRESSES SHOW_WAREHOUSE_ADDRESSES "
    "SHOW_ALL_CURRENCIES SHOW_PROVIDER_DATA FULFILL_UNPAID INVOICE_PDF"
).split()
CHOICES = {
    "COMMERCE_ENV": ("staging", "production or development"),
    "DATABASE_POOLER": ("session", "none or transaction"),
    "SESSION_SAMESITE": ("lax", "Lax, Strict or None"),
    "RETURN_AFTER": ("packed", "delivered or shipped"),
    "RETURN_COUNTS": ("sent", "received or requested"),
    "CAPTURE_ON": ("pack", "ship or empty"),
    "INVOICE_ON": ("ship", "capture, completion or empty"),
    "STRIPE_CAPTURE": ("later", "manual or automatic"),
    "S3_ADDRESSING_STYLE": ("dns", "auto, path or virtual"),
    "LOG_LEVEL": ("info", "DEBUG, INFO, WARNING, ERROR or CRITICAL"),
    "TIME_ZONE": ("Berlin", "a time zone such as Europe/Berlin"),
}
FOLDERS = ("MEDIA_ROOT", "UPLOAD_DIR", "EXPORT_DIR", "INVOICE_DIR", "MAIL_TEMPLATES", "DATABASE_SOCKET")
TEXTS = ("S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_PREFIX", "TRACKED_CARRIER_SECRET")
"""Any text on one line is right."""
PROVIDERS = {
    "PAYMENT_PROVIDERS": "payments.providers.base.Provider",
    "FULFILLMENT_PROVIDERS": "fulfillment.providers.base.Provider",
    "TAX_PROVIDERS": "taxes.providers.base.Provider",
}
POSTGRESQL = {"DATABASE_URL": "postgresql://shop@db/shop"}
POOLED = {**POSTGRESQL, "DATABASE_POOLER": "transaction", "DATABASE_DIRECT_URL": "postgresql://shop@direct/shop"}
OTHER_DATABASES = (POSTGRESQL, POOLED)
"""Environments in which more variables are read than with SQLite."""

_DATABASE = "must begin with {}postgresql://, as postgresql://user:password@host:5432/name."
_SECRET = (
    "at least 32 random characters, for example the output of "
    "`python -c 'import secrets; print(secrets.token_urlsafe(48))'`"
)
_MAIL = "EMAIL_URL must be a URL such as smtp+tls://user:password@host:587, with %-escapes in the password."
_PICTURES = "S3_BUCKET is not set, but S3_ENDPOINT_URL: set the bucket, too."
_URL = "must begin with http:// or https:// and a host"
_PAGE = "must be a URL, or a path that begins with /"
_ORDER_NUMBER = (
    "ORDER_NUMBER_FORMAT must have {number} as its only placeholder, show each number differently, and give at most "
    "64 characters for the largest, as W-{number:06} does; "
)
_SERIES = (
    "{} must have {{year}} and {{number}} as its only placeholders, show each year and number differently, and give at "
    "most 64 characters for the largest, as {} does; '{}' does not."
)
_SERIES_FORMATS = {
    "INVOICE_NUMBER_FORMAT": "R-{year}-{number:06}",
    "CREDIT_NOTE_NUMBER_FORMAT": "G-{year}-{number:06}",
}
_RESET = "{token} can be used in it, as in 'https://www.shop.example/password?token={token}'."
_ACCOUNT_PAGE = "{country_code} and {order_id} can be used in it, as in '/{country_code}/account'."
_ORDER_PAGE = "{country_code} and {order_id} can be used in it, as in '/{country_code}/order/{order_id}/confirmed'."

_LOOKUP_PAGE = "{country_code} and {token} can be used in it, as in 'https://www.shop.example/password?token={token}'."


class Wrong(NamedTuple):
    """A value that is refused with the message, beside others that are right."""

    name: str
    value: str
    message: str
    beside: dict[str, str] = {}


def _pages(name: str, allowed: str) -> list[Wrong]:
    return [
        Wrong(name, "orders/1", f"{name} {_PAGE}, not 'orders/1'."),
        Wrong(name, "/orders/{nr}/{token}", f"{name} has {{nr}}: {allowed}"),
        Wrong(name, "/orders/{0}/{token}", f"{name} has {{0}}: {allowed}"),
        Wrong(name, "/orders/{token", f"{name} has {{token: {allowed}"),
    ]


WRONG = [
    *(
        Wrong(name, value, f"{name} must be a whole number from {least} to 2147483647, not '{value}'.", POSTGRESQL)
        for name, least in NUMBERS.items()
        for value in (str(least - 1), "ten")
    ),
    *(
        Wrong("LOW_STOCK", value, f"LOW_STOCK must be a whole number from 0 to 2147483647, not '{value}'.")
        for value in ("2147483648", "1.5")
    ),
    *(
        Wrong(name, value, f"{name} must be a whole number from 0 to {most}, not '{value}'.")
        for name, most in BOUNDED.items()
        for value in ("-1", str(most + 1))
    ),
    *(
        Wrong(name, value, f"{name} must be a whole number from 1 to {most}, not '{value}'.")
        for name, most in CART_DAYS.items()
        for value in ("0", str(most + 1))
    ),
    *(
        Wrong(name, "ja", f"{name} must be true or false, not 'ja'.", POOLED if name == "DATABASE_PREPARE" else {})
        for name in SWITCHES
    ),
    *(Wrong(name, value, f"{name} must be {choices}, not '{value}'.") for name, (value, choices) in CHOICES.items()),
    *(
        Wrong(name, "srv/shop", f"{name} must be the absolute path of a folder, not 'srv/shop'.", POSTGRESQL)
        for name in FOLDERS
    ),
    *(
        Wrong(name, "two\nlines", f"{name} contains a line break or another character that cannot be printed.")
        for name in TEXTS
    ),
    *(Wrong(name, "mine", f"{name} must be id=value, comma-separated; 'mine' is not.") for name in PROVIDERS),
    Wrong("COMMERCE_HOME", "docs", "COMMERCE_HOME must be the absolute path of a folder that exists, not 'docs'."),
    Wrong("COMMERCE_HOME", "/no", "COMMERCE_HOME must be the absolute path of a folder that exists, not '/no'."),
    *(
        Wrong(
            name,
            "short",
            f"{name} is too weak: set it to {_SECRET}, or set COMMERCE_ENV=development on a developer's machine.",
        )
        for name in ("SECRET_KEY", "JWT_SECRET")
    ),
    *(
        Wrong(name, "short", f"{name} is too weak at place 1: it lists former secrets, as they were.")
        for name in ("SECRET_KEY_FALLBACKS", "JWT_SECRET_FALLBACKS")
    ),
    Wrong(
        "CLIENT_ADDRESS_SECRET", "short", f"CLIENT_ADDRESS_SECRET is too weak: set it to {_SECRET}, or leave it out."
    ),
    *(
        Wrong(name, value, f"{name} {_URL}, not '{value}'.")
        for name in ("PUBLIC_URL", "MEDIA_URL", "STOREFRONT_URL", "STRIPE_API_BASE", "OTEL_EXPORTER_OTLP_ENDPOINT")
        for value in (
            "shop.example",
            "https:/shop.example",
            "https://shop example",
            "ftp://shop.example",
            "https://shop:65536",
        )
    ),
    *(
        Wrong("DATABASE_URL", value, f"DATABASE_URL {_DATABASE.format('sqlite:/// or ')}")
        for value in (
            "postgres//shop@db/shop",
            "postgresql:/shop@db/shop",
            "postgresql://shop@db:port/shop",
            "postgresql://shop@db",
            "mysql://shop@db/shop",
            "sqlite://shop.sqlite3",
            "sqlite:///",
            "shop.sqlite3",
        )
    ),
    Wrong(
        "DATABASE_URL",
        "sqlite:////srv/shop.sqlite3?timeout=9",
        "DATABASE_URL must not have options after ? where it names a SQLite file.",
    ),
    Wrong(
        "DATABASE_DIRECT_URL",
        "sqlite:////srv/shop",
        f"DATABASE_DIRECT_URL {_DATABASE.format('')} DATABASE_POOLER needs it.",
        {**POSTGRESQL, "DATABASE_POOLER": "transaction"},
    ),
    Wrong(
        "DATABASE_REPLICA_URLS",
        "postgresql://shop@db2/shop, sqlite:///shop.sqlite3",
        f"Each of DATABASE_REPLICA_URLS {_DATABASE.format('')}",
    ),
    Wrong(
        "REDIS_URL",
        "localhost:6379",
        "REDIS_URL must begin with redis:// or rediss:// and a host, or with unix:///, "
        "as REDIS_URL=redis://:PASSWORD@HOST:6379/0.",
    ),
    *(
        Wrong(name, value, f"{name} holds '{value}', which is not an origin such as https://www.shop.example.")
        for name in ("CORS_ORIGINS", "ADMIN_CORS_ORIGINS", "CSRF_TRUSTED_ORIGINS")
        for value in ("www.shop.example", "https://www.shop.example/", "https://*")
    ),
    Wrong("S3_BUCKET", "My Bucket", "S3_BUCKET must be the name of a bucket, not 'My Bucket'."),
    Wrong("S3_ENDPOINT_URL", "https://s3.example", _PICTURES),
    Wrong(
        "S3_ENDPOINT_URL",
        "s3.example",
        "S3_ENDPOINT_URL must be http:// or https:// and a host, not 's3.example'.",
        {"S3_BUCKET": "pictures"},
    ),
    *(Wrong("EMAIL_URL", value, _MAIL) for value in ("mail.example:587", "smtp:/mail", "smtp://", "smtp://mail:port")),
    *(
        Wrong(
            "EMAIL_URL",
            value,
            "EMAIL_URL must name a folder by its absolute path, four slashes as in filemail:////srv/mail, "
            "not 'srv/mail'.",
        )
        for value in ("filemail:///srv/mail", "filemail:/srv/mail", "filemail://mail/srv/mail")
    ),
    *(
        Wrong(
            "MAIL_FROM",
            value,
            f"MAIL_FROM must be an email address such as shop@shop.example or Shop <shop@shop.example>, not '{value}'.",
        )
        for value in (
            "shop",
            "Shop <shop>",
            "shop@",
            "@shop.example",
            "https://ann:secret@shop.example",
            "a@b.example, c@d.example",
        )
    ),
    *(wrong for name in ("CUSTOMER_RESET_PAGE", "STAFF_RESET_PAGE") for wrong in _pages(name, _RESET)),
    *(
        Wrong(name, "https://shop.example/password", f"{name} lacks {{token}}: {_RESET}")
        for name in ("CUSTOMER_RESET_PAGE", "STAFF_RESET_PAGE")
    ),
    *_pages("ORDER_PAGE", _ORDER_PAGE)[:3],
    Wrong("ACCOUNT_ORDER_PAGE", "/account/{token}", f"ACCOUNT_ORDER_PAGE has {{token}}: {_ACCOUNT_PAGE}"),
    Wrong("ORDER_PAGE", "/orders/{token}", f"ORDER_PAGE has {{token}}: {_ORDER_PAGE}"),
    *_pages(
        "PRODUCT_PAGE",
        "{country_code} and {handle} and {product_id} can be used in it, as in '/{country_code}/products/{handle}'.",
    ),
    *_pages(
        "TRANSFER_PAGE",
        "{country_code} and {order_id} and {token} can be used in it, "
        "as in '/{country_code}/order/{order_id}/transfer/{token}'.",
    ),
    *_pages("ORDER_LOOKUP_PAGE", _LOOKUP_PAGE),
    Wrong("ORDER_LOOKUP_PAGE", "/find/{country_code}", f"ORDER_LOOKUP_PAGE lacks {{token}}: {_LOOKUP_PAGE}"),
    *_pages("PAYMENT_PAGE", _LOOKUP_PAGE),
    Wrong("PAYMENT_PAGE", "/pay/{country_code}", f"PAYMENT_PAGE lacks {{token}}: {_LOOKUP_PAGE}"),
    *(
        Wrong("ORDER_NUMBER_FORMAT", value, f"{_ORDER_NUMBER}'{value}' does not.")
        for value in (
            *("W-{nr}", "W-{}", "W-{0}", "W-", "W-{number", "W-number}", "{number:q}", "{number:e}", "{number:065}"),
            *("{number.real}", "{number[0]}", "{number:{width}}", "{number:c}", "{number}{nr}"),
        )
    ),
    *(
        Wrong(name, value, _SERIES.format(name, default, value))
        for name, default in _SERIES_FORMATS.items()
        for value in ("{number}", "{year}", "R", "{year}-{nr}", "{year:.1}-{number}", "{year}-{number:q}")
    ),
    *(
        Wrong(
            "GIFT_CARD_PREFIX",
            value,
            f"GIFT_CARD_PREFIX must be 1 to 32 letters, digits, hyphens and underscores, not '{value}'.",
        )
        for value in ("", "TEA CARD", "-", "T" * 33)
    ),
    Wrong("STRIPE_SECRET_KEY", "pk_live_1", "STRIPE_SECRET_KEY must begin with sk_ or rk_."),
    Wrong("STRIPE_PUBLISHABLE_KEY", "sk_live_1", "STRIPE_PUBLISHABLE_KEY must begin with pk_."),
    Wrong("STRIPE_WEBHOOK_SECRET", "sk_live_1", "STRIPE_WEBHOOK_SECRET must begin with whsec_."),
    Wrong("SENTRY_DSN", "https://sentry.example/1", "SENTRY_DSN must be a DSN of Sentry, https://KEY@HOST/PROJECT."),
]

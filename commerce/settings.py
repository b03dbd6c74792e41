"""Every setting of the shop, read from the environment and safe by default (docs/operators/settings.md)."""

import re
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE
from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static

import kit
from kit.environment.database_environment import database, direct_database, pooled_database, replica_databases
from kit.environment.environment import credential, former_secrets, origins, secret, shared_secret
from kit.environment.mail_environment import mail_server, sender
from kit.environment.optional_dependencies import require_extra
from kit.environment.redis_environment import redis_switch, redis_url
from kit.environment.s3_environment import picture_storage
from kit.environment.text_formats import number_format, page, series_format
from kit.environment.typed_environment import Environment, read_file
from kit.jobs.queues import QUEUES
from kit.observability.logs import Secrets, logging_config
from kit.rest.openapi.openapi_components import ERROR_SCHEMA, SECURITY_SCHEMES

django_stubs_ext.monkeypatch()  # our fields are generic, `CharField[str, str]`; Django's accept no subscript

BASE_DIR = Path(__file__).resolve().parent.parent
KIT = Path(kit.__file__).resolve().parent
VERSION: str = tomllib.loads((BASE_DIR / "pyproject.toml").read_text())["project"]["version"]
env = Environment()
HOME = env.home("COMMERCE_HOME", BASE_DIR)
read_file(HOME / ".env")
VARIABLES = env.names  # commerce/operations/checks/variable_checks.py

PRODUCTION = env.choice("COMMERCE_ENV", "production", ("production", "development")) == "production"
DEBUG = False  # tracebacks go to the log with a request id, never to a caller

SECRET_KEY = secret(env, "SECRET_KEY", production=PRODUCTION)
JWT_SECRET = secret(env, "JWT_SECRET", production=PRODUCTION)
# Former secrets still verify and decrypt; only the present ones sign and encrypt.
SECRET_KEY_FALLBACKS = former_secrets(env, "SECRET_KEY_FALLBACKS", production=PRODUCTION)
JWT_SECRET_FALLBACKS = former_secrets(env, "JWT_SECRET_FALLBACKS", production=PRODUCTION)
if PRODUCTION and {SECRET_KEY, *SECRET_KEY_FALLBACKS} & {JWT_SECRET, *JWT_SECRET_FALLBACKS}:
    raise ImproperlyConfigured("JWT_SECRET must differ from SECRET_KEY: one leaked secret must not open the other.")
JWT_LIFETIME = timedelta(seconds=env.int("JWT_LIFETIME", 24 * 3600, at_least=1))  # of staff
# As long as the storefronts' cookie, so that no shopper is a guest to the shop while the storefront says otherwise.
CUSTOMER_JWT_LIFETIME = timedelta(seconds=env.int("CUSTOMER_JWT_LIFETIME", 7 * 24 * 3600, at_least=1))
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", [] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]", "testserver"])

# The prefix of the paths of images in answers. In development `demo` and `serve` set it to their own address.
PUBLIC_URL = env.url("PUBLIC_URL", "" if PRODUCTION else "http://127.0.0.1:8000")

# Where the files of pictures are found: below PUBLIC_URL, or where another server has them.
MEDIA_URL = "/media/"
if env.str("MEDIA_URL").rstrip("/") not in ("", "/media"):
    MEDIA_URL = f"{env.url('MEDIA_URL')}/"

# --- Apps and middleware ---
INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "unfold.contrib.filters",
    "kit.admin.apps.SiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "corsheaders",
    "csp",
    "django_filters",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_tasks",
    "django_tasks_db",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "kit.safety.throttling",
    "kit.safety.idempotency",
    "kit.jobs",
    "kit.spreadsheets",
    "kit.messages.outbox",
    "kit.messages.webhooks",
    "kit.messages.mails",
    "shop",
    "pictures",
    "staff",
    "auth",
    "apikeys",
    "customers",
    "catalog",
    "carts",
    "fulfillment",
    "giftcards",
    "taxes",
    "payments",
    "orders",
    "commerce.operations",
]
MIDDLEWARE = [
    "kit.rest.middleware.middleware.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "kit.rest.middleware.middleware.Cors",
    "auth.sessions.middleware.SessionMiddleware",
    "kit.rest.middleware.middleware.SiteLayers",
]
# Paths of the API; all others also go through the layers of `SiteLayers`. Below /admin/ the last character decides:
# every URL of the admin site ends in a slash, and no route of the API does.
ADMIN_API_PATHS = r"admin/[\s\S]*[^/]\Z"
API_PATHS = rf"^/(store/|{ADMIN_API_PATHS}|auth/|cloud/auth\Z|hooks/|uploads/|media/|graphql|health/|openapi\.json)"
# Django expects those layers in MIDDLEWARE itself; tests/kit/rest/test_middleware.py tests them on the admin site.
# W005 and W021 ask for HSTS of all subdomains and for preloading: promises about the whole domain, which only its owner
# can make (HSTS_INCLUDE_SUBDOMAINS, HSTS_PRELOAD), and which browsers keep for a year.
_MIDDLEWARE_CHECKS = ["admin.E408", "admin.E409", "security.W002", "security.W003"]
SILENCED_SYSTEM_CHECKS = [*_MIDDLEWARE_CHECKS, "security.W005", "security.W021"]
ROOT_URLCONF = "commerce.urls"
WSGI_APPLICATION = "commerce.wsgi.application"
APPEND_SLASH = False
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [KIT / name / "templates" for name in ("admin", "graphql", "rest")],
        "APP_DIRS": True,
        "OPTIONS": {
            "libraries": {
                "breadcrumbs": "kit.admin.pages.breadcrumbs",
                "part_rows": "kit.admin.inlines.part_rows",
                "result_rows": "kit.admin.lists.result_rows",
            },
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
FORM_RENDERER = "kit.admin.forms.form_renderer.FormRenderer"

# --- Database and Redis ---
LOCK_TIMEOUT_MS = env.int("LOCK_TIMEOUT_MS", 2000, at_least=1)
STATEMENT_TIMEOUT_MS = env.int("STATEMENT_TIMEOUT_MS", 15_000)
REQUEST_DATABASE_TIME = env.int("REQUEST_DATABASE_TIME_MS", 2000) / 1000  # seconds; staff and secret keys are exempt
_ANSWERS_REQUESTS = env.bool("COMMERCE_ANSWERS_REQUESTS", False)  # set by commerce/wsgi.py; commands may take hours
DATABASE_POOLER = env.choice("DATABASE_POOLER", "none", ["none", "transaction"])
DATABASE_DIRECT_URL = env.str("DATABASE_DIRECT_URL")  # past the pooler: requests alone go through it
POOLED_DATABASE: dict[str, Any] | None = None
if DATABASE_POOLER == "transaction":
    POOLED_DATABASE = pooled_database(env)
    _direct = direct_database(env, lock_timeout_ms=LOCK_TIMEOUT_MS)
    DATABASES = {"default": POOLED_DATABASE if _ANSWERS_REQUESTS else _direct}
else:
    DATABASES = {
        "default": database(
            env,
            home=HOME,
            lock_timeout_ms=LOCK_TIMEOUT_MS,
            statement_timeout_ms=STATEMENT_TIMEOUT_MS if _ANSWERS_REQUESTS else 0,
        )
    }
_REPLICAS = replica_databases(env, lock_timeout_ms=LOCK_TIMEOUT_MS, statement_timeout_ms=STATEMENT_TIMEOUT_MS)
REPLICA_ALIASES = [*_REPLICAS]
REPLICA_MAX_LAG = env.int("REPLICA_MAX_LAG", 1, at_least=1)  # seconds
DATABASES |= _REPLICAS
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# What Redis may hold beside the database, which stays complete without it.
REDIS_URL = redis_url(env)
THROTTLES_IN_REDIS = redis_switch(env, "THROTTLES_IN_REDIS", REDIS_URL)
SESSIONS_IN_REDIS = redis_switch(env, "SESSIONS_IN_REDIS", REDIS_URL)  # copies for a minute: the rows decide
TASKS_IN_REDIS = redis_switch(env, "TASKS_IN_REDIS", REDIS_URL)

# --- Sessions, browsers, transport security ---
SESSION_COOKIE_NAME = "connect.sid"
SESSION_COOKIE_AGE = env.int("SESSION_LIFETIME", 10 * 3600, at_least=1)
SESSION_COOKIE_SAMESITE = env.choice("SESSION_SAMESITE", "Lax", ("Lax", "Strict", "None"))
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
CSRF_COOKIE_NAME = "csrf"
CSRF_FAILURE_VIEW = "kit.admin.pages.errors.csrf_failure"
CSRF_TRUSTED_ORIGINS = origins(env, "CSRF_TRUSTED_ORIGINS", may_be_wildcard=True)
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", PRODUCTION)
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 31_536_000 if PRODUCTION else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_INCLUDE_SUBDOMAINS", False)
SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", False)
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0, at_most=20)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
CLIENT_ADDRESS_SECRET = shared_secret(env, "CLIENT_ADDRESS_SECRET", apart_from=(SECRET_KEY, JWT_SECRET))
X_FRAME_OPTIONS = "DENY"
# Of storefronts; kit/rest/requests/origins.py decides what each may call.
CORS_ALLOWED_ORIGINS = origins(env, "CORS_ORIGINS")
CORS_ALLOWED_ORIGIN_REGEXES = [] if PRODUCTION else [r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?"]
ADMIN_CORS_ORIGINS = origins(env, "ADMIN_CORS_ORIGINS")
CORS_URLS_REGEX = API_PATHS
CORS_ALLOW_CREDENTIALS = True
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "x-commit-position",
    "x-graphql-request",
    "x-medusa-locale",
    "x-publishable-api-key",
]
CORS_EXPOSE_HEADERS = ["ETag", "Idempotent-Replayed", "Retry-After", "X-Commit-Position", "X-Request-Id"]
# The admin theme evaluates Alpine expressions; only the admin site and the API's browsable page serve HTML.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, UNSAFE_EVAL],
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:", "https:", *([MEDIA_URL] if MEDIA_URL.startswith("http:") else [])],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
    }
}
STATIC_URL = "/static/"
STATIC_ROOT = HOME / "static"
STATICFILES_DIRS = [KIT / "admin" / "static", KIT / "graphql" / "static"]
STORAGES = {
    "default": picture_storage(env, has_media_url=MEDIA_URL not in ("/media/", f"{PUBLIC_URL}/media/")),
    "staticfiles": {"BACKEND": "commerce.operations.server.static_files.Storage"},
}
S3_BUCKET: str = STORAGES["default"].get("OPTIONS", {}).get("bucket_name", "")
MEDIA_ROOT = env.folder("MEDIA_ROOT", str(HOME / "var" / "media"))
# Received files, until they are converted. Web processes and that of jobs must share it.
UPLOAD_DIR = env.folder("UPLOAD_DIR", str(HOME / "var" / "uploads"))
WHITENOISE_USE_FINDERS = not (PRODUCTION or _ANSWERS_REQUESTS)  # `serve` collects and compresses the files
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2500  # the form that receives a return has two for each of at most 1,000 lines

# --- Authentication ---
AUTH_USER_MODEL = "staff.User"
PASSWORD_HASHERS = [
    "kit.safety.password_hashers.Argon2Hasher",
    "kit.safety.password_hashers.OldPBKDF2Hasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "admin:login"
OTP_TOTP_ISSUER = "Commerce"
LOGIN_REDIRECT_URL = "admin:index"
# The number of attempts, and the seconds in which they are counted. Tight per account, loose per client address: a
# server-rendered storefront that does not forward its shoppers' addresses is one address for all of them.
THROTTLES = {
    "login_account": (env.int("LOGIN_ATTEMPTS", 10, at_least=1), env.int("LOGIN_WINDOW", 900, at_least=1)),
    "login_account_daily": (env.int("LOGIN_ATTEMPTS_A_DAY", 100, at_least=1), 24 * 3600),
    "registration": (env.int("REGISTRATION_ATTEMPTS", 10, at_least=1), env.int("REGISTRATION_WINDOW", 900, at_least=1)),
    "gift_card_misses": (
        env.int("GIFT_CARD_MISSES", 10, at_least=1),
        env.int("GIFT_CARD_MISSES_WINDOW", 900, at_least=1),
    ),
    "promotion_code_misses": (
        env.int("PROMOTION_CODE_MISSES", 20, at_least=1),
        env.int("PROMOTION_CODE_MISSES_WINDOW", 900, at_least=1),
    ),
    "reset": (env.int("RESET_ATTEMPTS", 5, at_least=1), env.int("RESET_WINDOW", 3600, at_least=1)),
    "order_lookups": (env.int("ORDER_LOOKUPS", 5, at_least=1), env.int("ORDER_LOOKUPS_WINDOW", 3600, at_least=1)),
    "payment_sessions": (
        env.int("PAYMENT_SESSIONS", 50, at_least=1),
        env.int("PAYMENT_SESSIONS_WINDOW", 3600, at_least=1),
    ),
    "order_transfers": (
        env.int("ORDER_TRANSFERS", 10, at_least=1),
        env.int("ORDER_TRANSFERS_WINDOW", 3600, at_least=1),
    ),
    "client_flood": (env.int("FLOOD_ATTEMPTS", 600, at_least=1), env.int("FLOOD_WINDOW", 60, at_least=1)),
    "new_carts": (env.int("NEW_CARTS", 1000, at_least=1), env.int("NEW_CARTS_WINDOW", 900, at_least=1)),
    "new_lines": (env.int("NEW_LINES", 2500, at_least=1), env.int("NEW_LINES_WINDOW", 900, at_least=1)),
    "stored_kib": (env.int("STORED_KIB", 1000, at_least=1), env.int("STORED_KIB_WINDOW", 900, at_least=1)),
    "guest_mails": (env.int("GUEST_MAILS", 10, at_least=1), env.int("GUEST_MAILS_WINDOW", 3600, at_least=1)),
}
KNOWN_ADDRESS_LIFETIME = timedelta(days=90)  # how long owners are not locked out at addresses they have used
RESET_LIFETIME = timedelta(minutes=15)
RESET_REQUEST_LIFETIME = timedelta(days=14)  # how long the emails of requests for a new password are kept
# The pages for setting a new password, by actor type, with {token} for the token. Without one, emails show the token.
RESET_PAGES = {
    actor_type: page(env, name, placeholders=["token"], needed="token")
    for actor_type, name in [("customer", "CUSTOMER_RESET_PAGE"), ("user", "STAFF_RESET_PAGE")]
}

# --- Email ---
MAIL_SERVER_IS_SET = bool(env.str("EMAIL_URL"))
_NO_MAIL_SERVER = "smtp://localhost:25" if PRODUCTION else f"filemail:///{HOME.as_posix()}/var/mail"
EMAIL = mail_server(env, "EMAIL_URL", _NO_MAIL_SERVER)
EMAIL_BACKEND = {
    "django.core.mail.backends.filebased.EmailBackend": "kit.messages.mails.file_backend.EmailBackend",
}.get(EMAIL["EMAIL_BACKEND"], EMAIL["EMAIL_BACKEND"])
EMAIL_HOST, EMAIL_PORT = EMAIL["EMAIL_HOST"], EMAIL["EMAIL_PORT"]
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = EMAIL["EMAIL_HOST_USER"], EMAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS, EMAIL_USE_SSL = EMAIL.get("EMAIL_USE_TLS", False), EMAIL.get("EMAIL_USE_SSL", False)
EMAIL_FILE_PATH = EMAIL["EMAIL_FILE_PATH"]
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = sender(env, "MAIL_FROM", "shop@localhost")
MAIL_TEMPLATES = env.folder("MAIL_TEMPLATES", "")  # a folder of the shop's own templates
MAIL_LIFETIME = timedelta(days=90)
# Links in emails: URLs, or paths under STOREFRONT_URL, with {country_code}, {order_id} and {token}.
STOREFRONT_URL = env.url("STOREFRONT_URL", "" if PRODUCTION else "http://localhost:3000")
_ORDER_PAGE = "/{country_code}/order/{order_id}/confirmed"
ORDER_PAGE = page(env, "ORDER_PAGE", _ORDER_PAGE, placeholders=["country_code", "order_id"])
ACCOUNT_ORDER_PAGE = page(
    env,
    "ACCOUNT_ORDER_PAGE",
    "/{country_code}/account" if ORDER_PAGE == _ORDER_PAGE else ORDER_PAGE,
    placeholders=["country_code", "order_id"],
)
PRODUCT_PAGE = page(  # linked from the admin site
    env,
    "PRODUCT_PAGE",
    "/{country_code}/products/{handle}",
    placeholders=["country_code", "handle", "product_id"],
)
TRANSFER_PAGE = page(
    env,
    "TRANSFER_PAGE",
    "/{country_code}/order/{order_id}/transfer/{token}",
    placeholders=["country_code", "order_id", "token"],
    needed="token",
)
# Without these, emails link to pages of our own.
ORDER_LOOKUP_PAGE = page(env, "ORDER_LOOKUP_PAGE", placeholders=["country_code", "token"], needed="token")
PAYMENT_PAGE = page(env, "PAYMENT_PAGE", placeholders=["country_code", "token"], needed="token")

# --- Webhooks ---
# Deliver them over http and to addresses that are not public, such as a program on the developer's own machine.
WEBHOOKS_TO_LOCAL_ADDRESSES = env.bool("WEBHOOKS_TO_LOCAL_ADDRESSES", False)
if PRODUCTION and WEBHOOKS_TO_LOCAL_ADDRESSES:
    raise ImproperlyConfigured("WEBHOOKS_TO_LOCAL_ADDRESSES is for development alone: remove it.")

# --- Orders ---
_A_CENTURY = 36_500  # days, which can be subtracted from any date
TRANSFER_LIFETIME = timedelta(days=7)  # of a transfer's token, from the time when its email is rendered
ORDER_LOOKUP_LIFETIME = timedelta(minutes=60)  # likewise, of the token by which a guest sees an order
PAYMENT_LINK_LIFETIME = timedelta(days=30)  # of a link by which a customer pays what an order still owes
ORDER_LOOKUP_REQUEST_LIFETIME = timedelta(days=1)  # how long the emails of such requests are kept
# How many days an order keeps its personal data after it was placed, even if its person is erased; see
# docs/operators/daily-work.md.
ERASURE_RETENTION_DAYS = env.int("ERASURE_RETENTION_DAYS", 0, at_most=_A_CENTURY)

# --- Gift cards ---
GIFT_CARD_PREFIX = env.matching(
    "GIFT_CARD_PREFIX", "GIFT", r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}", "1 to 32 letters, digits, hyphens and underscores"
).upper()

# --- The API ---
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "auth.api.authentication.BearerAuthentication",
        "apikeys.api.authentication.SecretKeyAuthentication",
        "auth.api.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_PARSER_CLASSES": ["kit.rest.requests.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["kit.rest.responses.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "kit.rest.openapi.openapi.RouteSchema",
    "UNAUTHENTICATED_USER": None,
    "NUM_PROXIES": TRUSTED_PROXIES,
    "URL_FORMAT_OVERRIDE": None,
}
MAX_RELATED_ROWS = env.int("MAX_RELATED_ROWS", 20_000, at_least=1)
# Fields of shipping options that store callers see only if enabled here. The address of a pickup is always shown.
SHOW_WAREHOUSE_ADDRESSES = env.bool("SHOW_WAREHOUSE_ADDRESSES", False)
SHOW_ALL_CURRENCIES = env.bool("SHOW_ALL_CURRENCIES", False)
SHOW_PROVIDER_DATA = env.bool("SHOW_PROVIDER_DATA", False)
# The class of each fulfillment provider, by id: a subclass of fulfillment.providers.base.Provider.
FULFILLMENT_PROVIDERS = env.mapping(
    "FULFILLMENT_PROVIDERS",
    default={
        "manual_manual": "fulfillment.providers.manual.Manual",
        "weight_weight": "fulfillment.providers.by_weight.ByWeight",
        "tracked_tracked": "fulfillment.providers.tracked.Tracked",
    },
)
# How long a call to a fulfillment provider may take before it is repeated.
FULFILLMENT_PATIENCE = timedelta(seconds=env.int("FULFILLMENT_PATIENCE", 60, at_least=1))
FULFILL_UNPAID = env.bool("FULFILL_UNPAID", False)
CAPTURE_ON = env.matching("CAPTURE_ON", "", "|ship", "ship or empty")  # ship: shipping captures what is authorized
RETURN_AFTER = env.choice("RETURN_AFTER", "delivered", ("delivered", "shipped"))  # which units can be returned
RETURN_COUNTS = env.choice("RETURN_COUNTS", "received", ("received", "requested"))  # when it changes the amount owed
RETURN_WINDOW_DAYS = env.int(
    "RETURN_WINDOW_DAYS", 0, at_most=_A_CENTURY
)  # days in which customers can request a return; 0: no limit
TRACKED_CARRIER_SECRET = env.str("TRACKED_CARRIER_SECRET")  # signs events of fulfillment/providers/tracked.py
# Payment providers by id: subclasses of payments.providers.base.Provider.
PAYMENT_PROVIDERS = env.mapping(
    "PAYMENT_PROVIDERS",
    default={
        "pp_system_default": "payments.providers.system.SystemProvider",
    },
)
# How long a call to a payment provider may take; only after that time is the call made again.
PAYMENT_PATIENCE = timedelta(seconds=env.int("PAYMENT_PATIENCE", 60, at_least=1))
PAYMENT_LINES = env.int(
    "PAYMENT_LINES", 2, at_least=1
)  # half of the threads of commerce/operations/server/front_settings.py
# How long an attempt to complete a cart waits for its payment provider; then its claims are released.
COMPLETION_PATIENCE = timedelta(seconds=env.int("COMPLETION_PATIENCE", 900, at_least=1))
# How long captured money may wait for its cart to become an order; then it is refunded.
UNCLAIMED_MONEY_LIFETIME = timedelta(seconds=env.int("UNCLAIMED_MONEY_LIFETIME", 86_400, at_least=1))
# Tax providers by id: dotted names of subclasses of taxes.providers.base.Provider.
# Tax regions of countries refer to the ids.
TAX_PROVIDERS = env.mapping("TAX_PROVIDERS", default={})
TAX_PROVIDER_TIMEOUT = env.int("TAX_PROVIDER_TIMEOUT", 5, at_least=1)  # seconds; then the shop's own rates apply
LOW_STOCK = env.int("LOW_STOCK", 5)  # available units at which stock is low, on the overview and in lists
EXPORT_DIR = env.folder("EXPORT_DIR", str(HOME / "var" / "exports"))  # files of exports that staff start, for a day
# PDFs of invoices, made by WeasyPrint in the process of jobs and kept for good. Web processes read them.
INVOICE_PDF = env.bool("INVOICE_PDF", False)
INVOICE_DIR = env.folder("INVOICE_DIR", str(HOME / "var" / "invoices"))
if INVOICE_PDF:
    require_extra("INVOICE_PDF", library="weasyprint", module="weasyprint", extra="invoices")
FIRST_ORDER_NUMBER = env.int("FIRST_ORDER_NUMBER", 1, at_least=1)
ORDER_NUMBER_FORMAT = number_format(env, "ORDER_NUMBER_FORMAT", longest=64)  # Order.custom_display_id
# When an order's first invoice is written: at its first capture, when it is placed, or empty: by hand.
INVOICE_ON = env.matching("INVOICE_ON", "capture", "|capture|completion", "capture, completion or empty")
INVOICE_NUMBER_FORMAT = series_format(env, "INVOICE_NUMBER_FORMAT", "R-{year}-{number:06}", longest=64)
CREDIT_NOTE_NUMBER_FORMAT = series_format(env, "CREDIT_NOTE_NUMBER_FORMAT", "G-{year}-{number:06}", longest=64)
# How many days a document keeps its buyer after it was issued, even if the person is erased.
INVOICE_RETENTION_DAYS = env.int("INVOICE_RETENTION_DAYS", 3650, at_most=_A_CENTURY)
STRIPE_SECRET_KEY = credential(env, "STRIPE_SECRET_KEY", begins=("sk_", "rk_"))
STRIPE_PUBLISHABLE_KEY = credential(env, "STRIPE_PUBLISHABLE_KEY", begins=("pk_",))  # for our own payment page
STRIPE_WEBHOOK_SECRET = credential(env, "STRIPE_WEBHOOK_SECRET", begins=("whsec_",))
STRIPE_API_BASE = env.url("STRIPE_API_BASE")  # empty: Stripe's own
STRIPE_CAPTURE = env.choice("STRIPE_CAPTURE", "manual", ("manual", "automatic"))
if STRIPE_SECRET_KEY:
    require_extra("STRIPE_SECRET_KEY", library="stripe", module="stripe", extra="stripe")
    PAYMENT_PROVIDERS.setdefault("pp_stripe_stripe", "payments.providers.stripe.StripeProvider")
# A class that answers `q` of products in place of the database: a subclass of kit.search.engines.SearchEngine.
_PRODUCT_SEARCH_ENGINE = env.str("PRODUCT_SEARCH_ENGINE")
SEARCH_ENGINES = {"catalog.product": _PRODUCT_SEARCH_ENGINE} if _PRODUCT_SEARCH_ENGINE else {}
# After how many days without a change a cart is deleted, unless it was ordered or holds money.
GUEST_CART_LIFETIME = timedelta(days=env.int("GUEST_CART_DAYS", 90, at_least=1, at_most=36_500))
CUSTOMER_CART_LIFETIME = timedelta(days=env.int("CUSTOMER_CART_DAYS", 365, at_least=1, at_most=36_500))
EMPTY_CART_LIFETIME = timedelta(days=env.int("EMPTY_CART_DAYS", 7, at_least=1, at_most=36_500))
STORE_MAX_AGE = env.int("STORE_MAX_AGE", 0)  # seconds for which shared caches may keep answers of the catalogue
MAX_ADDRESSES = env.int("MAX_ADDRESSES", 100)
MAX_METADATA = env.int("MAX_METADATA", 64 * 1024, at_least=1)
MAX_GRAPHQL_ANSWER = env.int("MAX_GRAPHQL_ANSWER", 64 * 1024 * 1024, at_least=1)
IDEMPOTENCY_LIFETIME = timedelta(hours=24)
SPECTACULAR_SETTINGS = {
    "TITLE": "Commerce",
    "DESCRIPTION": "The store and admin interface of the shop.",
    "VERSION": VERSION,
    "SERVERS": [{"url": "/", "description": "The host that the document was read from."}],
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "ENABLE_DJANGO_DEPLOY_CHECK": False,  # it generates the whole document; `make check` does
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "kit.rest.openapi.null_choices.choose_null",
    ],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "ApplicationMethodTypeEnum": "carts.states.PromotionType.values",
        "CampaignBudgetTypeEnum": "carts.states.BudgetType.values",
        "ClaimReasonEnum": "orders.states.ClaimReason.values",
        "ClaimTypeEnum": "orders.states.ClaimType.values",
        "PromotionTypeEnum": "carts.states.PromotionKind.values",
        "PromotionStatusEnum": "carts.states.PromotionStatus.values",
        "PromotionRuleOperatorEnum": "carts.states.Comparison.values",
        "ApiKeyTypeEnum": "apikeys.states.KeyType.values",
        "GeoZoneTypeEnum": "fulfillment.states.GeoZoneType.values",
        "GiftCardStatusEnum": "giftcards.states.CardStatus.values",
        "InvoiceKindEnum": "orders.states.InvoiceKind.values",
        "InvoiceLineKindEnum": "orders.states.InvoiceLineKind.values",
        "InvoiceReasonEnum": "orders.states.InvoiceReason.values",
        "OrderChangeStatusEnum": "orders.states.OrderChangeStatus.values",
        "OrderStatusEnum": "orders.states.OrderStatus.values",
        "FileStatusEnum": "pictures.states.PictureStatus.values",
        "PriceListStatusEnum": "catalog.states.PriceListStatus.values",
        "PriceListTypeEnum": "catalog.states.PriceListType.values",
        "ProductStatusEnum": "catalog.states.ProductStatus.values",
        "PaymentCollectionStatusEnum": "payments.states.CollectionStatus.values",
        "PaymentSessionStatusEnum": "payments.states.SessionStatus.values",
        "PriceRuleOperatorEnum": "catalog.states.RuleOperator.values",
        "ReasonEnum": "carts.states.SkipReason.values",
        "ReturnStatusEnum": "orders.states.ReturnStatus.values",
        "ShippingOptionRuleOperatorEnum": "fulfillment.states.OptionRuleOperator.values",
        "StatusStatusEnum": [("ok", "ok")],
        "TaxRuleReferenceEnum": "taxes.models.RuleReference.values",
        "StoreCreditTransactionTypeEnum": "giftcards.states.EntryType.values",
    },
    "AUTHENTICATION_WHITELIST": [],
    "APPEND_COMPONENTS": {"securitySchemes": SECURITY_SCHEMES, "schemas": {"Error": ERROR_SCHEMA}},
}

# --- Background work, locale, logs, admin theme ---
# Each queue has its own thread (commerce/operations/tasks/background_workers.py), and jobs have a process.
TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": QUEUES}}
if TASKS_IN_REDIS:
    TASKS["default"]["BACKEND"] = "commerce.operations.tasks.redis_tasks.backend.RedisBackend"
TASK_RESULT_LIFETIME = JOB_LIFETIME = timedelta(days=14)
PRUNE_INTERVAL = env.int("PRUNE_INTERVAL", 3600)
RESUME_INTERVAL = env.int("RESUME_INTERVAL", 60)
RECOMPUTE_INTERVAL = env.int("RECOMPUTE_INTERVAL", 10)
# How long a stopping server still answers: longer than the proxy in front keeps idle connections.
DRAIN_SECONDS = env.int("DRAIN_SECONDS", 10 if PRODUCTION else 0)
METRICS_PORT = env.int("METRICS_PORT", 0, at_most=65535)  # of Prometheus' metrics at 127.0.0.1; 0: none are kept
METRICS_DIR = HOME / "var" / "metrics"
LANGUAGE_CODE = "en"
TIME_ZONE = env.time_zone("TIME_ZONE", "UTC")  # for the shop's days, and for times on the admin site
USE_TZ = True
USE_I18N = False
FORMAT_MODULE_PATH = ["commerce.formats"]  # Django ignores DATE_FORMAT where the language has formats of its own
LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"))
# Values that give access to anybody who knows them: guests' carts, orders and payment collections, gift cards,
# credentials. Below /carts/, /store/orders/ and /gift-cards/ also mistyped values, and ids that the shop has chosen
# itself.
_ULID, _CARD_CODE = r"[0-9A-HJKMNP-TV-Z]{26}", rf"\b{re.escape(GIFT_CARD_PREFIX)}(?:-\w{{4}}){{2,}}"
_CREDENTIALS = r"\bsk_[0-9a-f]{16,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+|\bpi_\w+_secret_\w+"
SECRETS = Secrets(
    anywhere=rf"(?i:(?:cart|order|pay(?:_5F|_)col)(?:_5F|_){_ULID}|gcard_\w+|{_CARD_CODE})|{_CREDENTIALS}",
    in_paths=(
        r"(?i:(?<=/gift-cards/).+?(?=/redeem\b|\Z)|(?<=/carts/)(?!cart(?:/|\Z))[^/]+|(?<=/orders/lookup/)[^/]+|(?<=/orders/documents/)[^/]+|(?<=/pay/)[^/]+|(?<=/payment-links/)[^/]+|(?<=/store/orders/)(?!lookup(?:/|\Z))[^/]+|(?<=/admin/invitation/)[^/]+)"
    ),
    marks=("invitation", "cart", "order", "pay", "card", GIFT_CARD_PREFIX.lower(), "sk_", "eyj", "_secret_"),
)
# Reports of unhandled errors, and traces of requests: kit/observability/error_reports.py,
# kit/rest/middleware/tracing.py
SENTRY_DSN = env.dsn("SENTRY_DSN")
_watchers = []
if SENTRY_DSN:
    require_extra("SENTRY_DSN", library="sentry-sdk", module="sentry_sdk", extra="sentry")
    from kit.observability.error_reports import start_reports  # not loaded without it

    _watchers = [start_reports(SENTRY_DSN, release=VERSION, environment="production" if PRODUCTION else "development")]
if env.url("OTEL_EXPORTER_OTLP_ENDPOINT"):
    require_extra(
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        library="opentelemetry-exporter-otlp-proto-http",
        module="opentelemetry.exporter.otlp.proto.http",
        extra="opentelemetry",
    )
    MIDDLEWARE.insert(1, "kit.rest.middleware.tracing.Tracing")  # within RequestLog, which gives the request its id
LOGGING = logging_config(level=LOG_LEVEL, human=not PRODUCTION, secrets=SECRETS, watchers=_watchers)
LOGGING_CONFIG = "logging.config.dictConfig"
UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Commerce",
    "SITE_HEADER": "Commerce",
    "SITE_SYMBOL": "storefront",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda _: static("commerce/icon.svg")}],
    "STYLES": [
        lambda _: static("commerce/contrast.css"),
        lambda _: static("commerce/frame.css"),
        lambda _: static("commerce/narrow.css"),
        lambda _: static("commerce/icons.css"),
        lambda _: static("commerce/without_scripts.css"),
    ],
    "SCRIPTS": [
        lambda _: static("commerce/names.js"),
        lambda _: static("commerce/icons.js"),
        lambda _: static("commerce/thumbnails.js"),
        lambda _: static("commerce/copying.js"),
        lambda _: static("commerce/focus.js"),
        lambda _: static("commerce/unsaved.js"),
    ],
    "SITE_URL": None,
    "SHOW_VIEW_ON_SITE": False,
    "DASHBOARD_CALLBACK": "kit.admin.pages.dashboard.overview",
    "LOGIN": {"form": "auth.signing_in.admin_login.StaffLoginForm"},
    "SIDEBAR": {"show_search": True, "command_search": True, "navigation": "kit.admin.pages.navigation.sidebar"},
}

"""What every place shares. The environment is read here and in the places' own modules, through env.py alone."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from asat_site.settings.env import DatabaseAddress, Environment, mail_server

BASE_DIR = Path(__file__).resolve().parent.parent.parent
environment = Environment(os.environ, lambda path: Path(path).read_text(encoding="utf-8"))

ASAT_ENV = environment.choice("ASAT_ENV", ("dev", "test", "production"), "dev")
PRODUCTION = ASAT_ENV == "production"
DEBUG = False if PRODUCTION else environment.flag("ASAT_DEBUG")
SECRET_KEY = environment.secret("ASAT_SECRET_KEY", None if PRODUCTION else "not secret: development and tests only")
_DEV_KEYS = "dev:bm90IHNlY3JldDogZm9yIGRldmVsb3BtZW50IG9ubHk="  # says so itself, in base64
ENCRYPTION_KEYS = environment.keys("ASAT_ENCRYPTION_KEYS", None if PRODUCTION else _DEV_KEYS)
ALLOWED_HOSTS = environment.names("ASAT_ALLOWED_HOSTS", (".localhost", "127.0.0.1", "[::1]"))
CSRF_TRUSTED_ORIGINS = environment.names("ASAT_TRUSTED_ORIGINS")
PLATFORM_HOST = environment.text("ASAT_PLATFORM_HOST", "platform.localhost").lower()

# Apps. What stands in both lists is made in public (for the platform's administrators) and in each practice.
_ACCOUNTS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "asat_site.admin_app.AsAtAdminConfig",
    "allauth.account",
    "allauth.mfa",
    "asat_site.accounts",
]
SHARED_APPS = ["asat_site.tenancy", *_ACCOUNTS, "django_tenants", "research.corpus"]
TENANT_APPS = [*_ACCOUNTS, "clients", "research", "integrations"]
INSTALLED_APPS = [
    *SHARED_APPS,
    *[app for app in TENANT_APPS if app not in SHARED_APPS],
    "django.contrib.postgres",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "heroicons",
    "rest_framework",
]
TENANT_MODEL = "tenancy.Practice"
TENANT_DOMAIN_MODEL = "tenancy.Domain"
PUBLIC_SCHEMA_URLCONF = "asat_site.urls_public"
ROOT_URLCONF = "asat_site.urls"
DATABASE_ROUTERS = ["django_tenants.routers.TenantSyncRouter"]
AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

MIDDLEWARE = [
    "asat_site.middleware.SecurityHeaders",
    "asat_site.middleware.PlainOutage",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "asat_site.middleware.PracticeByHost",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "asat_site.accounts.middleware.Standing",
    "asat_site.middleware.SignedIn",
]
# SecurityHeaders sends what the two middlewares that these miss would send.
SILENCED_SYSTEM_CHECKS = ["security.W001", "security.W002"]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "asat_site.http.practice_context",
            ],
        },
    },
]


# Databases. "default" is the app role; "owner" is there only where DATABASE_URL is given (upgrades, new practices).
_POOL = environment.integer("ASAT_DATABASE_POOL", 0, high=200)


def _database(address: DatabaseAddress, *, pool: int = 0) -> dict[str, Any]:
    options: dict[str, Any] = {"connect_timeout": "5", "application_name": "asat", **dict(address.options)}
    if pool:
        # A pool that keeps trying waits longer and longer, up to minutes after the database is back; one that gives
        # up at once tries anew for the next request.
        options["pool"] = {"min_size": 1, "max_size": pool, "timeout": 5, "max_idle": 120, "reconnect_timeout": 1}
    return {
        "ENGINE": "asat_site.tenancy.backend",
        "NAME": address.name,
        "USER": address.user,
        "PASSWORD": address.password,
        "HOST": address.host,
        "PORT": address.port,
        "OPTIONS": options,
        "CONN_MAX_AGE": 0 if pool else 300,
        "CONN_HEALTH_CHECKS": True,
        "ATOMIC_REQUESTS": False,
    }


_nowhere = DatabaseAddress(name="asat", user="asat_app", password="", host="127.0.0.1", port="5432")
_app = environment.database("DATABASE_APP_URL", required=PRODUCTION) or _nowhere
_owner = environment.database("DATABASE_URL", required=False)
DATABASES = {"default": _database(_app, pool=_POOL)}
if _owner is not None:
    DATABASES["owner"] = {**_database(_owner), "CONN_MAX_AGE": 0}
TENANT_DB_ALIAS = "owner" if _owner is not None else "default"

# Redis: broker, progress and cache.
REDIS_URL = environment.secret("REDIS_URL", None if PRODUCTION else "redis://127.0.0.1:6379/0")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_FUNCTION": "asat_site.tenancy.cache.practice_key",
        "TIMEOUT": 300,
        "OPTIONS": {"socket_timeout": 2, "socket_connect_timeout": 2},
    }
}

# Sessions, passwords, cookies.
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_NAME = "asat_session"
SESSION_COOKIE_AGE = environment.integer("ASAT_SESSION_HOURS", 12, low=1, high=24) * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_SERIALIZER = "django.contrib.sessions.serializers.JSONSerializer"
CSRF_COOKIE_NAME = "asat_csrf"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "asat_site.errors.csrf_failure"
LOGIN_URL = "sign_in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "sign_in"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
_VALIDATORS = "django.contrib.auth.password_validation."
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": _VALIDATORS + "UserAttributeSimilarityValidator"},
    {"NAME": _VALIDATORS + "MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": _VALIDATORS + "CommonPasswordValidator"},
]

# Signing in: django-allauth leads from the password to the code. The guessing is counted by accounts/attempts.py.
ACCOUNT_ADAPTER = "asat_site.accounts.adapters.AccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]  # nobody signs up; allauth's own check wants the two to agree
ACCOUNT_RATE_LIMITS = False
ACCOUNT_LOGIN_TIMEOUT = 10 * 60  # seconds from the password to the code
MFA_ADAPTER = "asat_site.accounts.adapters.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_TOLERANCE = 1  # a clock may be half a minute off
MFA_RECOVERY_CODE_COUNT = 10
# Whether a practice made from now on asks everybody for a second factor; its owner may change that.
ASAT_REQUIRE_SECOND_FACTOR = environment.flag("ASAT_REQUIRE_SECOND_FACTOR", PRODUCTION)

# Mail: sent by workers. Without a server links are shown to whoever makes them, and nothing is mailed.
ASAT_EMAIL_URL = environment.secret("ASAT_EMAIL_URL", "")
DEFAULT_FROM_EMAIL = environment.text("ASAT_EMAIL_FROM", "asat@localhost")
EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
EMAIL_TIMEOUT = 20  # seconds
_mail = mail_server("ASAT_EMAIL_URL", ASAT_EMAIL_URL) if ASAT_EMAIL_URL else None
if _mail is not None:
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.starts_tls, _mail.is_tls

USE_X_FORWARDED_HOST = False
TRUSTED_PROXIES = environment.integer("ASAT_TRUSTED_PROXIES", 0, high=10)  # whose X-Forwarded-For is believed

# What a browser may send: a question is short; a file is a spreadsheet of questions, one at a time. Documents come
# many at once, by a handler that says how many and how large; every other refuses a second file.
DATA_UPLOAD_MAX_MEMORY_SIZE = environment.integer("ASAT_MAX_REQUEST_BYTES", 256 * 1024, low=16 * 1024)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100
DATA_UPLOAD_MAX_NUMBER_FILES = 100
ASAT_MAX_UPLOAD_BYTES = 2 * 1024 * 1024
FILE_UPLOAD_HANDLERS = ["asat_site.uploads.BoundedUploadHandler"]

# Words, dates, files.
LANGUAGE_CODE = "en-au"
TIME_ZONE = "Australia/Sydney"
USE_I18N = False
USE_TZ = True
STATIC_URL = "/static/"
STATIC_ROOT = Path(environment.text("ASAT_STATIC_ROOT", str(BASE_DIR / "var" / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []

# The API answers in JSON alone; each of its views says who may call and how often.
REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "research.api.authentication.BearerToken",
        "research.api.authentication.Session",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "NUM_PROXIES": TRUSTED_PROXIES,
    "UNICODE_JSON": True,
}

# Celery. JSON only. The visibility timeout is longer than any task may run, or a long task would be given to a
# second worker while the first is still at it; a test relates the numbers.
CELERY_BROKER_URL = REDIS_URL
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_DEFAULT_QUEUE = "default"
# Lower comes first, within a queue and between the queues of one worker: signs of life and sweeps (0), questions (3),
# what nobody waits for (6), vectors (9). A worker fetches one message at a time, when it is free to work on it.
CELERY_TASK_DEFAULT_PRIORITY = 6
CELERY_TASK_ROUTES = {"corpus.embed_pending": {"queue": "gpu", "priority": 9}}
CELERY_TASK_ACKS_LATE = True
CELERY_IMPORTS = (
    "asat_site.heartbeat",
    "asat_site.housekeeping",
    "asat_site.accounts.tasks",
    "clients.documents.tasks",
    "research.tasks_batch",
    "research.worker_start",
    "integrations.hubspot.tasks",
    "integrations.xero.tasks",
)
CELERY_TASK_SOFT_TIME_LIMIT = environment.integer("ASAT_TASK_SOFT_LIMIT_S", 540, low=10)
CELERY_TASK_TIME_LIMIT = CELERY_TASK_SOFT_TIME_LIMIT + 60
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {
    "priority_steps": [0, 3, 6, 9],
    "sep": ":",  # a queue's messages of priority 3 are the list gpu:3
    "socket_timeout": 5,  # a worker's own reads wait 1 s at a time; whoever asks must not hang on a frozen broker
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 25,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0.1, "interval_step": 0.2, "interval_max": 0.5}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 60.0  # a new process reads the law's vectors before it takes its first question
CELERY_WORKER_MAX_MEMORY_PER_CHILD = environment.integer("ASAT_WORKER_MEMORY_KB", 1_200_000, low=100_000)
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_TRACK_STARTED = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
CELERY_BEAT_SCHEDULER = "asat_site.beat:OneBeatScheduler"
CELERY_BEAT_SCHEDULE = {
    **{
        f"heartbeat of {queue}": {
            "task": "asat_site.heartbeat",
            "schedule": timedelta(seconds=10),
            "args": (queue,),
            "options": {"queue": queue, "priority": 0, "expires": 10},
        }
        for queue in ("default", "interactive", "gpu")
    },
    "sweep questions": {
        "task": "research.sweep_questions",
        "schedule": timedelta(seconds=5),
        "options": {"priority": 0, "expires": 5},
    },
    "sweep documents": {
        "task": "clients.sweep_documents",
        "schedule": timedelta(seconds=10),
        "options": {"expires": 10},
    },
    "sweep imports": {
        "task": "integrations.sweep_imports",
        "schedule": timedelta(seconds=30),
        "options": {"expires": 30},
    },
    "sweep bills": {
        "task": "integrations.sweep_bills",
        "schedule": timedelta(seconds=30),
        "options": {"expires": 30},
    },
    "keep Xero's access": {
        "task": "integrations.refresh_xero",
        "schedule": timedelta(minutes=15),
        "options": {"expires": 900},
    },
    "embed what is pending": {
        "task": "corpus.embed_pending",
        "schedule": timedelta(seconds=60),
        "options": {"expires": 60},
    },
    "clear old sessions": {
        "task": "asat_site.clear_sessions",
        "schedule": timedelta(hours=24),
        "options": {"expires": 3600},
    },
}

# The Federal Register of Legislation. A production system looks by itself for newer text; no other reaches out unasked.
ASAT_REGISTER_CHECK = environment.choice("ASAT_REGISTER_CHECK", ("daily", "off"), "daily" if PRODUCTION else "off")
ASAT_REGISTER_URL = environment.optional("ASAT_REGISTER_URL")
ASAT_REGISTER_CONTACT = environment.optional("ASAT_REGISTER_CONTACT")
ASAT_REGISTER_PROXY = environment.optional("ASAT_REGISTER_PROXY")
if ASAT_REGISTER_CHECK == "daily":
    CELERY_BEAT_SCHEDULE["check the Register"] = {
        "task": "corpus.check_register",
        "schedule": timedelta(hours=1),  # a beat that is started anew each day would never see a day pass
        "options": {"expires": 3600},
    }

# What /health/ shows beside the servers: name → a function that says a part's state in words.
HEALTH_PARTS = {"search": "research.services.search_state"}

# Other products. Their addresses are for tests and gateways: what is sent there carries a practice's access.
ASAT_HUBSPOT_URL = environment.optional("ASAT_HUBSPOT_URL")
ASAT_XERO_URL = environment.optional("ASAT_XERO_URL")
# Who reads the original that a bill for Xero came from: kind → a function of its id that gives bytes.
ASAT_ORIGINALS: dict[str, str] = {"document": "clients.ledger.originals.read"}
# Who says whether what a bill was made of still stands: kind → a function of its id that gives why not, or "".
ASAT_BILL_SOURCES: dict[str, str] = {"transaction": "clients.ledger.standing.why_withdrawn"}
# Who sends approved entries on, and says how far each has got: a `clients.ledger.sending.Sending`, "" for nobody.
ASAT_LEDGER_SENDING = "integrations.xero.from_transactions.sending"

# Documents of clients. How long one may be read: longer than its reader is given (`clients.adapters.readers.limits`).
ASAT_SEAL_DOCUMENTS = environment.flag("ASAT_SEAL_DOCUMENTS", True)
ASAT_VIRUS_SCANNER = environment.optional("ASAT_VIRUS_SCANNER")
ASAT_DROP_DIRECTORY = environment.optional("ASAT_DROP_DIRECTORY")
ASAT_DOCUMENT_READERS = environment.integer("ASAT_DOCUMENT_READERS", 1, low=1, high=64)
ASAT_READ_LIMIT_S = 1080
if ASAT_DROP_DIRECTORY:
    CELERY_BEAT_SCHEDULE["collect documents"] = {
        "task": "clients.collect_documents",
        "schedule": timedelta(seconds=30),
        "options": {"expires": 30},
    }

# What shapes an answer.
ASAT_GENERATION_PROVIDER = environment.choice(
    "ASAT_GENERATION_PROVIDER",
    ("extractive", "ollama", "openai_compatible", "aggregator", "anthropic"),
    "extractive",
)
ASAT_GENERATION_VENDOR = environment.optional("ASAT_GENERATION_VENDOR")
ASAT_GENERATION_ADDRESS = environment.optional("ASAT_GENERATION_ADDRESS")
ASAT_GENERATION_MODEL = environment.optional("ASAT_GENERATION_MODEL")
ASAT_GENERATION_KEY = environment.secret("ASAT_GENERATION_KEY", "")
ASAT_GENERATION_SEED = environment.integer("ASAT_GENERATION_SEED", 1)
ASAT_GENERATION_SAMPLES = environment.integer("ASAT_GENERATION_SAMPLES", 1, low=1, high=2)
# Another model that drafts everything as well; where the two rest on different provisions the question is refused.
ASAT_SECOND_PROVIDER = environment.choice(
    "ASAT_SECOND_PROVIDER", ("none", "ollama", "openai_compatible", "aggregator", "anthropic"), "none"
)
ASAT_SECOND_VENDOR = environment.optional("ASAT_SECOND_VENDOR")
ASAT_SECOND_ADDRESS = environment.optional("ASAT_SECOND_ADDRESS")
ASAT_SECOND_MODEL = environment.optional("ASAT_SECOND_MODEL")
ASAT_SECOND_KEY = environment.secret("ASAT_SECOND_KEY", "")
ASAT_GENERATION_TIMEOUT_S = environment.integer("ASAT_GENERATION_TIMEOUT_S", 120, low=1, high=600)
ASAT_GENERATION_CONTEXT_TOKENS = environment.integer("ASAT_GENERATION_CONTEXT_TOKENS", 6000, low=500, high=200_000)
ASAT_EMBEDDER = environment.choice(
    "ASAT_EMBEDDER", ("minilm-int8", "qwen3-embedding-0.6b", "bge-m3", "none"), "minilm-int8"
)
ASAT_RERANKER = environment.choice("ASAT_RERANKER", ("learned", "bge-reranker-v2-m3", "cosine", "overlap"), "learned")
ASAT_RERANK_TOP_K = environment.integer("ASAT_RERANK_TOP_K", 50, low=1, high=200)
ASAT_GROUNDEDNESS = environment.choice("ASAT_GROUNDEDNESS", ("overlap", "hhem-2.1-open"), "overlap")
# Whether answering loads models of its own here, which take seconds and say nothing meanwhile.
ASAT_SCORES_BY_MODELS = (
    ASAT_EMBEDDER not in ("minilm-int8", "none")
    or ASAT_RERANKER not in ("learned", "cosine", "overlap")
    or ASAT_GROUNDEDNESS != "overlap"
)
# How long one question may take: a quoted answer takes well under a second, a model's may take minutes, and a practice
# may bring a model of its own. The broker gives a message to another worker only when no task could still be at it, and
# a question is another's after so much silence as no worker that lives keeps.
ASAT_QUESTION_LIMIT_S = environment.integer("ASAT_QUESTION_LIMIT_S", 300, low=10, high=3600)
ASAT_LOST_AFTER_S = ASAT_QUESTION_LIMIT_S + 10 if ASAT_SCORES_BY_MODELS else 20
ASAT_MOST_WAITING = environment.integer("ASAT_MOST_WAITING", 200, low=1)  # questions of one practice
CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] = max(
    4 * max(CELERY_TASK_TIME_LIMIT, ASAT_QUESTION_LIMIT_S), 2 * (ASAT_READ_LIMIT_S + 60)
)
ASAT_MODEL_DIRECTORY = environment.optional("ASAT_MODEL_DIRECTORY")
ASAT_MODEL_PINS = environment.names("ASAT_MODEL_PINS")
ASAT_TORCH_DEVICE = environment.choice("ASAT_TORCH_DEVICE", ("cpu", "cuda", "auto"), "cpu")
ASAT_THRESHOLDS = environment.optional("ASAT_THRESHOLDS")
ASAT_THREADS = environment.integer("ASAT_THREADS", 1, low=1, high=64)
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, str(ASAT_THREADS))  # two threads made a small product 70 times slower on two cores

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {"links": {"()": "asat_site.log_lines.LinksLeftOut"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["links"]}},
    "root": {
        "handlers": ["stderr"],
        "level": environment.choice("ASAT_LOG_LEVEL", ("DEBUG", "INFO", "WARNING"), "INFO"),
    },
    "loggers": {
        "django.db.backends": {"level": "INFO"},  # DEBUG would write every parameter of every query
        "celery.app.trace": {"level": "WARNING"},
        "uvicorn.access": {"handlers": ["stderr"], "propagate": False},  # it writes every address that is asked for
        "httpx": {"level": "WARNING"},  # INFO would write every address that is asked
    },
}

#!/bin/sh
# What the container is: web, worker, beat, upgrade, roles, or `manage …` for a management command.
set -eu
threads="${ASAT_THREADS:-1}"
export OMP_NUM_THREADS="$threads" OPENBLAS_NUM_THREADS="$threads"

case "${1:-web}" in
    web)
        exec python -m uvicorn asat_site.asgi:application --host 0.0.0.0 --port 8000 --no-server-header \
            --workers "${ASAT_WEB_PROCESSES:-2}" --timeout-graceful-shutdown 10 --no-proxy-headers
        ;;
    worker)
        exec python -m celery -A asat_site.celery worker --queues "${ASAT_WORKER_QUEUES:-interactive,default,gpu}" --loglevel INFO -O fair \
            --concurrency "${ASAT_WORKER_PROCESSES:-2}" --without-gossip --without-mingle
        ;;
    beat)
        exec python -m celery -A asat_site.celery beat --loglevel INFO
        ;;
    roles)
        exec python -m asat_site.running.roles
        ;;
    upgrade)
        python manage.py upgrade
        exec python manage.py corpus import
        ;;
    manage)
        shift
        exec python manage.py "$@"
        ;;
    *)
        echo "entrypoint.sh knows web, worker, beat, roles, upgrade and manage; '$1' is none of them." >&2
        exit 2
        ;;
esac

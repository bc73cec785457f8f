"""The calls of /api/v1/: what was asked for, what to answer. The services are those of the pages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.views.decorators.debug import sensitive_variables
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.parsers import JSONParser
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from research import composition, queries, services, tasks
from research.api.authentication import BearerToken, MayWrite, Session
from research.api.errors import answer_for, refused
from research.api.serializers import AskedQuestion, TextToCheck, question_as_json
from research.api.throttles import PerCaller, PerCallerWork
from research.corpus.queries import frameworks_held
from research.forms import AskForm
from research.law.income_year import income_year_of
from research.models import Question
from research.presentation.as_at import as_at_of
from research.presentation.quote_check import NotCheckable, checked
from research.terms import Window


@method_decorator(login_not_required, name="dispatch")  # a caller who is nobody gets a 401 and no page to sign in at
class Call(APIView):
    """What every call has in common: JSON alone, a caller who is known, and a measure of how often."""

    authentication_classes = [BearerToken, Session]
    permission_classes: list[type[BasePermission]] = [IsAuthenticated]
    throttle_classes: list[type[BaseThrottle]] = [PerCaller]
    renderer_classes = [JSONRenderer]
    parser_classes = [JSONParser]
    metadata_class = None

    def get_exception_handler(self) -> Any:
        return answer_for


class Questions(Call):
    """POST: a question is saved and enqueued."""

    permission_classes = [IsAuthenticated, MayWrite]
    throttle_classes = [PerCaller, PerCallerWork]

    @sensitive_variables()
    def post(self, request: Request) -> Response:
        """202 with the question as it stands; 422 with the reason where it cannot be asked."""
        sent = _read(AskedQuestion, request)
        year = sent["income_year"]
        form = AskForm({"year": "" if year is None else str(year)})
        if not form.is_valid():
            return refused(form.what_is_wrong)
        try:
            with transaction.atomic():
                question = services.ask(
                    user=request.user,
                    text=sent["question"],
                    year=form.cleaned_data["year"],
                    frameworks=sent["frameworks"],
                )
                transaction.on_commit(lambda: tasks.enqueue(question))
        except services.NotAskable as why:
            return refused(why.message)
        url = _address(request, question)
        return Response(question_as_json(question, url), status=202, headers={"Location": url, "Retry-After": "1"})


class OneQuestion(Call):
    """GET: a question that this caller asked, with its answer once that is recorded."""

    def get(self, request: Request, question_id: UUID) -> Response:
        question = queries.question_of(request.user, question_id)
        if question is None:
            raise NotFound
        if question.status != Question.Status.DONE and services.recover_if_lost(question):
            tasks.enqueue(question)
        return Response(question_as_json(question, _address(request, question)))


class QuoteCheck(Call):
    """POST: a text is checked, citation by citation. Nothing of it is kept; a read-only user may."""

    throttle_classes = [PerCaller, PerCallerWork]

    @sensitive_variables()
    def post(self, request: Request) -> Response:
        """200 with the verdicts; 422 with the reason where the text or the day cannot be used."""
        sent = _read(TextToCheck, request)
        years = queries.covered_years()
        try:
            as_at = as_at_of(sent["as_at"], years[-1] if years else income_year_of(timezone.localdate()))
        except ValueError as error:
            return refused(f"{str(error)[:1].upper()}{str(error)[1:]}.")
        try:
            return Response(checked(sent["text"], as_at).as_json())
        except NotCheckable as why:
            return refused(why.message)


class Status(Call):
    """GET: whether questions can be answered now, from which law, and who is calling."""

    def get(self, request: Request) -> Response:
        years = queries.covered_years()
        latest = years[-1] if years else income_year_of(timezone.localdate())
        snapshot = composition.store().snapshot(Window.of_year(latest))
        return Response(
            {
                "practice": request.practice.name,
                "user": request.user.email,
                "may_ask": request.user.may_write,
                "income_years": [year.year for year in years],
                "frameworks": frameworks_held(),
                "search": snapshot.mode,
                "degraded": list(snapshot.degraded),
                "snapshot_id": snapshot.snapshot_id,
            }
        )


class Nothing(Call):
    """Any other address below /api/: said in JSON."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)  # a stranger is told that they are one, not what is there
        raise NotFound


def _read(kind: type[Serializer[Any]], request: Request) -> dict[str, Any]:
    """What was sent, of the fields that there are. Raises ParseError for what is no such object."""
    try:
        sent = kind(data=request.data)
    except RecursionError as error:  # brackets within brackets, further than a JSON reader goes
        raise ParseError from error
    if not sent.is_valid():
        raise ParseError
    return dict(sent.validated_data)


def _address(request: Request, question: Question) -> str:
    return request.build_absolute_uri(reverse("api:question", args=[question.pk]))

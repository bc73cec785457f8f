"""What a reader may send with a question. Whether the words can be asked is for `services.ask` to say."""

from __future__ import annotations

import re

from django import forms

from clients.models import Client

YEAR = re.compile(r"(?:FY\s*)?(?P<year>\d{4})|(?P<first>\d{4})\s*[-–/]\s*(?P<last>\d{2}|\d{4})", re.IGNORECASE)


class AskForm(forms.Form):
    """A question and, perhaps, an income year: "FY2015", "2015" or "2014-15"; empty leaves it to the question.

    framework: the names, any number of them, that the search is narrowed to; none for all. subject_index: "off" for a
    question whose words are to be taken as they stand. client: whom it is asked for, empty for nobody in particular.
    """

    # Plain fields: a CharField would refuse a NUL in words of its own before the question is cleaned.
    question = forms.Field(required=False)
    year = forms.CharField(required=False, max_length=40)
    framework = forms.Field(required=False, widget=forms.MultipleHiddenInput)
    subject_index = forms.ChoiceField(required=False, choices=[("on", "on"), ("off", "off")])
    client = forms.UUIDField(required=False, error_messages={"invalid": "Pick the client again."})

    def clean_question(self) -> str:
        return str(self.cleaned_data.get("question") or "")

    def clean_framework(self) -> list[str]:
        return [str(name) for name in self.cleaned_data.get("framework") or ()]

    def clean_subject_index(self) -> bool:
        return self.cleaned_data.get("subject_index") != "off"

    def clean_year(self) -> int | None:
        typed = str(self.cleaned_data.get("year") or "").strip()
        if not typed:
            return None
        match = YEAR.fullmatch(typed)
        if match and match["year"]:
            return int(match["year"])
        if match and int(match["last"][-2:]) == (int(match["first"]) + 1) % 100:
            return int(match["first"]) + 1
        raise forms.ValidationError(
            f"The income year is “{typed[:20]}”. Give the year it ends in, such as FY2015, or both, such as 2014-15."
        )

    def clean_client(self) -> Client | None:
        """The client, one that is worked for and that whoever asks may see: another does not exist for them."""
        picked = self.cleaned_data.get("client")
        if picked is None:
            return None
        found = Client.objects.filter(pk=picked, archived_at=None).first()
        if found is None:
            raise forms.ValidationError("That client is not in the register, or is archived. Pick another, or none.")
        return found

    @property
    def what_is_wrong(self) -> str:
        """The first thing to put right, in words; "" when nothing is wrong with the form."""
        return next((str(error) for errors in self.errors.values() for error in errors), "")

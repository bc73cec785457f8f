"""Signing in, one's own account, and an owner's people. The platform has them too, but for people and tokens."""

from django.urls import path

from asat_site.accounts import views, views_account, views_invitation, views_people

everywhere = [
    path("sign-in/", views.sign_in, name="sign_in"),
    path("sign-in/code/", views.sign_in_code, name="sign_in_code"),
    path("sign-out/", views.sign_out, name="sign_out"),
    path("account/", views_account.account, name="account"),
    path("account/password/", views_account.change_password, name="change_password"),
    path("account/second-factor/", views_account.second_factor, name="second_factor"),
    path("account/second-factor/picture.svg", views_account.second_factor_picture, name="second_factor_picture"),
    path("account/second-factor/codes/", views_account.new_recovery_codes, name="new_recovery_codes"),
    path("account/second-factor/remove/", views_account.remove_second_factor, name="remove_second_factor"),
    path("account/sessions/end-others/", views_account.end_other_sessions, name="end_other_sessions"),
    path("account/sessions/<int:session_id>/end/", views_account.end_session, name="end_session"),
    path("invitation/", views_invitation.invitation, name="invitation"),
    path("invitation/<str:token>/", views_invitation.follow_invitation, name="follow_invitation"),
    path("settings/events/", views_people.account_events, name="account_events"),
    path("settings/events/export/", views_people.export_events, name="account_events_export"),
]

urlpatterns = [
    *everywhere,
    path("account/tokens/", views.api_tokens, name="api_tokens"),
    path("account/tokens/<int:token_id>/revoke/", views.revoke_api_token, name="revoke_api_token"),
    path("settings/people/", views_people.people_page, name="people"),
    path("settings/people/require-second-factor/", views_people.require_factor, name="require_factor"),
    path("settings/people/<uuid:user_id>/role/", views_people.change_role, name="change_role"),
    path("settings/people/<uuid:user_id>/deactivate/", views_people.deactivate, name="deactivate"),
    path("settings/people/<uuid:user_id>/reactivate/", views_people.reactivate, name="reactivate"),
    path("settings/people/<uuid:user_id>/take-factor-away/", views_people.take_factor_away, name="take_factor_away"),
    path("settings/people/<uuid:user_id>/password-link/", views_people.password_link, name="password_link"),
    path(
        "settings/people/invitations/<uuid:invitation_id>/revoke/",
        views_people.revoke_invitation,
        name="revoke_invitation",
    ),
    path("settings/people/invitations/<uuid:invitation_id>/link/", views_people.show_link, name="show_link"),
]

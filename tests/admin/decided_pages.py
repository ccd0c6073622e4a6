"""Who may see which page of the console: a new page fails until it is decided."""

# Pages of records that people of merchants have, with the way from a row to its merchant.
OPEN = {
    "merchants.merchant": "pk",
    "merchants.apikey": "merchant",
    "merchants.membership": "merchant",
    "team.invitation": "merchant",
    "team.accessrequest": "merchant",
    "collect.order": "merchant",
    "collect.charge": "order__merchant",
    "collect.refund": "merchant",
    "collect.dispute": "order__merchant",
    "payout.payout": "merchant",
    "payout_batches.payoutbatch": "merchant",
    "payout_batches.batchline": "batch__merchant",
    "payout.beneficiary": "merchant",
    "payout.approvalpolicy": "merchant",
    "links.paymentlink": "merchant",
    "withdrawals.bankaccount": "merchant",
    "topup.topup": "merchant",
    "bills.billpayment": "merchant",
    "settlement.settlement": "merchant",
    "webhooks.event": "merchant",
    "webhooks.delivery": "merchant",
    "webhooks.endpoint": "merchant",
    "ledger.account": "merchant",
    "api.apicall": "merchant",
}
# Of operators only. Exports belong to one person each (tests/admin/test_export.py).
CLOSED = {
    *("auth.user", "auth.group", "core.auditentry", "core.transition", "console.export"),
    "mail.mail",
    *("ledger.entry", "ledger.posting"),
    *("rates.exchangerate", "rates.quote", "rates.coinfeed"),
    *("collect.unmatchedfunds", "settlement.taxrule"),
    *("payout.payoutmethod", "payout.bank", "payout.payoutswitch"),
    *("topup.operator", "topup.topupterms", "bills.agreement", "bills.billterms"),
    *("rails.provideraccount", "rails.route", "rails.routechange"),
    *("chains.chaincursor", "chains.coinaddress", "chains.deposit"),
    *("reconciliation.bankaccount", "reconciliation.statementfile"),
    *("reconciliation.statementline", "reconciliation.statementupload"),
    *("reconciliation.settlementfile", "reconciliation.disbursement"),
    "reconciliation.reconciledday",
    *("reconciliation.providertariff", "ledger.feeday", "ledger.systemaccount"),
    *("payment_files.paymentbatch", "payment_files.batchline"),
}
OF_ENDPOINTS = (
    *("new_endpoint", "edit", "switch_on", "switch_off", "rotate_secret"),
    *("send_test", "resend_range", "deliveries", "remove"),
)
OF_PAYOUT_FILES = (
    *("upload", "mend", "template_csv", "template_xlsx", "errors_csv", "errors_xlsx"),
    *("result_csv", "result_xlsx", "send", "approve", "reject", "discard"),
    *("pause", "resume", "cancel"),
)
# What people of merchants may do, beside looking. Every other act is no address for them.
ACTS = {
    *("collect_order_refund_order", "merchants_apikey_revoke"),
    *("merchants_merchant_set_webhook", "merchants_merchant_regenerate_secret"),
    *("merchants_merchant_set_brand", "webhooks_event_resend", "webhooks_delivery_resend"),
    *("webhooks_resend", "webhooks_send_test", "webhooks_resend_range"),
    *("merchants_merchant_choose_events", "merchants_merchant_invite_person"),
    *("merchants_merchant_set_retry", "merchants_merchant_set_strict"),
    "merchants_merchant_set_document",
    *("merchants_merchant_set_legal_data",),
    *("merchants_merchant_set_receipt_mail", "withdrawals_bankaccount_enter"),
    "withdrawals_bankaccount_withdraw",
    *("merchants_merchant_new_key", "merchants_apikey_new_key", "merchants_apikey_rename"),
    *("merchants_membership_invite", "merchants_membership_invitations"),
    *("merchants_membership_change_roles", "merchants_membership_remove"),
    *("team_invitation_revoke", "team_invitation_renew", "team_invitation_invite_colleague"),
    "team_accessrequest_withdraw",
    *("team_accessrequest_approve", "team_accessrequest_reject", "team_accessrequest_collect"),
    *(f"payout_batches_payoutbatch_{act}" for act in OF_PAYOUT_FILES),
    *("payout_payout_read_qr", "payout_payout_pay", "payout_payout_approve_team"),
    *("payout_payout_reject_team", "payout_payout_withdraw"),
    *("payout_beneficiary_add_beneficiary", "payout_beneficiary_pay_beneficiary"),
    *("payout_beneficiary_edit", "payout_beneficiary_archive", "payout_beneficiary_restore"),
    *("payout_approvalpolicy_propose", "payout_approvalpolicy_confirm_rules"),
    *("payout_approvalpolicy_refuse", "payout_approvalpolicy_take_back"),
    *("collect_dispute_file_added", "webhooks_delivery_set_url"),
    "webhooks_delivery_change_endpoint",
    *(f"webhooks_endpoint_{act}" for act in (*OF_ENDPOINTS, "add_to")),
    *("links_paymentlink_new_link", "links_paymentlink_edit_link"),
    *("links_paymentlink_pause_link", "links_paymentlink_resume_link"),
    *("links_paymentlink_end_link", "links_paymentlink_see_orders"),
}
# Addresses that are about the person who asks, and show no records.
OF_ONESELF = {
    *("logout", "login", "code", "device", "access", "backup_codes", "end_sessions"),
    *("password_change", "password_change_done", "saved_add", "saved_change", "saved_delete"),
    *("index", "search", "jsi18n", "autocomplete", "app_list", "invitation"),
}

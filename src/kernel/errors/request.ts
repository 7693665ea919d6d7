// Requests: their fields, before an operation sees them, idempotency keys and imports.
import { conflict, invalid, retryable, unprocessable } from './entry.ts';
import { LARGEST, usd } from './example-values.ts';
import { ONE_OF, WHOLE_NUMBER } from './sentences.ts';

export const REQUEST_ERRORS = {
  AMOUNT_INVALID: invalid({
    title: 'The amount is not a whole number of minor units, or not a decimal number that its asset can hold',
    detail: {
      not_minor_units: '{param} must be a whole number of minor units, such as "1250" for 12.50 of USD/2',
      not_decimal: '{param} must be a decimal number in a string, such as "10.50"',
      too_many_decimals: '{param} has {given} decimal places; the asset allows {scale}',
    },
    example: ['too_many_decimals', { param: 'amountDecimal', given: 3, scale: 2 }],
    cause:
      'The amount cannot be read as money: it has a sign, a fraction, an exponent or letters, or more decimal places than its asset has.',
    remedy:
      'Send whole minor units in a string of digits, or a decimal number in the `_decimal` field with no more decimal places than the asset.',
  }),
  AMOUNT_NOT_POSITIVE: invalid({
    title: 'The amount must be greater than zero',
    detail: { zero: '{param} must be greater than zero', negative: '{param} must not be negative' },
    example: ['zero', { param: 'amount' }],
    cause: 'The request has an amount of zero, or a negative one, where money would move.',
    remedy: 'Send a positive amount. To move money back, refund the payment.',
  }),
  AMOUNT_TOO_LARGE: invalid({
    title: 'The amount is larger than can be stored',
    detail: {
      one: '{param} is larger than {max}',
      sum: 'all charges together are more than can be stored, which is {max} minor units',
      charges_made: 'charges_made times the price is more than can be stored, which is {max} minor units',
    },
    example: ['one', { param: 'amount', max: LARGEST.toString() }],
    cause: 'An amount, or the sum of all charges of a plan, exceeds what a 64-bit integer of minor units can hold.',
    remedy: 'Check the unit: amounts are in minor units, such as cents. Lower the amount or the number of charges.',
  }),
  ASSET_INVALID: invalid({
    title: 'The asset is not a code and a scale',
    detail: '{param} must be a code and a scale, such as "USD/2"',
    example: { param: 'asset' },
    cause:
      'An asset is written as its code, a slash and its number of decimal places: `USD/2`, `JPY/0`. The code has 2 to 16 capital letters and digits, the scale is 0 to 9.',
    remedy: 'Send the asset in this form. To list the assets of your tenant, call `GET /v1/assets`.',
  }),
  ID_INVALID: invalid({
    title: 'The id has the wrong form',
    detail: {
      wrong_form: '{param} must be an id such as {examples:list}',
      not_a_cursor: '{param} must be the id of the last item of the previous page',
      needs_resource:
        '{param} must be an id such as {examples:list}; for a resource of your application, give {resource:field} too',
    },
    example: ['wrong_form', { param: 'id', examples: ['"pay_01jd…"'] }],
    cause: 'The text is not an id of the kind that the field or path takes: every id begins with a prefix of its kind.',
    remedy:
      'Send the id as an earlier response had it. A UUID is accepted where the path or a top-level field takes an id.',
  }),
  RETRY_INVALID: invalid({
    title: 'The retry policy is not valid',
    detail: {
      not_a_policy: '{param} must be a preset ({presets:list}), or an object with fields of a retry policy',
      unknown_field: '{param} has no field "{name}"',
      out_of_range:
        '{param} must have 1 to 100 attempts, delays of 1 second to 30 days, a multiplier of 1 to 100 and a jitter of 0 to 1',
      max_below_initial:
        '{param} has a maximum delay of {max} seconds, which is below its initial delay of {initial} seconds; raise the maximum delay, or leave it out',
    },
    example: ['unknown_field', { param: 'retry', name: 'attempts' }],
    cause:
      'A retry policy is the name of a preset, or an object that replaces some fields of the preset. A value is out of range.',
    remedy: 'Correct the policy, or leave it out to use the default for this kind of payment.',
  }),
  FIELD_INVALID: invalid({
    title: 'A field is missing or has the wrong form',
    detail: {
      required: '{param} is required',
      needs_reason: '{param} is required: say why, for the audit log',
      one_of: ONE_OF,
      wrong_type: '{param} must be {expected:list}',
      wrong_form: '{param} has the wrong form',
      not_an_object: '{where} must be an object',
      not_whole_number: WHOLE_NUMBER,
      not_whole_number_from: '{param} must be a whole number of at least {min}',
      not_whole_number_or_null: '{param} must be a whole number from {min} to {max}, or null for no limit',
      too_small: '{param} must be at least {min}',
      too_large: '{param} must be at most {max}',
      too_short: '{param} must have at least {min:characters}',
      too_long: '{param} must have at most {max:characters}',
      wrong_length: '{param} must have {min} to {max} characters, without NUL',
      not_printable: '{param} must have {min} to {max} printable ASCII characters',
      not_printable_word: '{param} must have {min} to {max} printable ASCII characters without spaces',
      not_percent_encoded: '{param} must be percent-encoded UTF-8, such as caf%C3%A9 for café; a percent sign is %25',
      not_visible: '{param} must have {min} to {max} visible characters, without spaces around them',
      too_few_items: '{param} must have at least {min:items}',
      too_many_items: '{param} must have at most {max:items}',
      no_fields: '{param} must have at least one field',
      nothing_given: '{where} must have at least one field',
      not_storable: '{param:given} has a character that cannot be stored: NUL, or half of a surrogate pair',
      has_nul: 'text must not contain a NUL character',
      given_twice: '{param} is given twice; give it once',
      both_given: 'give either {first:field} or {param}, not both',
      none_given: 'give {param} or {second:field}',
      none_of_given: 'give {choices:fields}',
      not_json:
        '{param} must be an object of at most {characters} characters of JSON, {levels} levels deep, without NUL; integers beyond 2^53 - 1 are written as strings',
      empty_filter: '{param} must have at least one field, because an empty one would match every payment',
      not_confirmed:
        '{param} is required: confirm how many payments the filter finds, as a dry run shows, or give {limit:field}',
      limit_of_account: '{limit:field} is the limit of one account: give {param}, {shared:field} or {total:field}',
      limit_of_tenant: '{param} is a limit of the tenant, not of one account: leave out {account:field}',
      in_the_past: '{param} must be in the future',
      amount_required: '{param} is required, in minor units, or as a decimal number in {decimal:field}',
      asset_required: '{param} is required: the tenant has no default asset',
      from_required: '{param} is required: an API key has no account',
      me_needs_token: '{param} can be "me" only with a token of an end user; name the account by id or ref',
      metadata_filter:
        '{param} must be 1 to 5 fields such as metadata[order]=A-1001, with names of at most 100 and values of at most 500 characters',
      not_an_action: '{param} must be an action such as PAYMENT_COMPLETED',
      not_a_resource:
        '{param} must be a word such as post: lower-case letters, digits and underscores, at most {max} characters',
      not_an_event_id: '{param} must be the cursor or the seq of an event',
      actor_reserved: '{param} must not begin with a reserved word: {reserved:list}',
      not_a_role: 'there is no role "{role}"',
      not_a_scope: 'there is no scope "{scope}"',
      role_or_scopes: 'give {role:field}, {param}, or both',
      overlap_too_long: '{param} must be 0 to {max} days',
      issuer_reserved: 'the issuer and {param} are those of JWT_SECRET; use another {param}',
      not_a_key_set: '{param} must be a JWK Set: an object whose "keys" has 1 to {max} keys',
      no_fitting_key: '{param} has no key for {algorithm}',
      kid_missing: '{param} has several keys: each needs a kid that no other key has',
      not_a_public_key: '{param} must be a public key for {algorithm} in PEM',
      unreadable_key: '{param} has a key that cannot be read as a public key',
      rsa_size: '{param} has an RSA key whose size is not {min} to {max} bits',
      rsa_exponent: '{param} has an RSA key whose public exponent is below {min}, or even',
      private_key: '{param} has a private key: keep it secret, and send its public half',
      webhook_secret: '{param} must be "whsec_" and the base64 of 24 to 64 random bytes',
      duplicate: '{param} names {value} twice; name it once',
      required_with: '{param} is required when {other:field} is "{value}"',
      not_allowed_with: '{param} must be left out when {other:field} is "{value}"',
      not_after: '{param} must be later than {start:field}',
      not_in_the_future: '{param} must not be in the future',
      instant_out_of_range: '{param} must be an instant from {min:instant} to {max:instant}',
      circular: '{param} refers to itself, or is nested too deeply',
      account_ref: '{param} must have 1 to 200 printable ASCII characters without spaces',
      tenant_name:
        '{param} must have 1 to 100 characters of a–z, 0–9, dot, dash and underscore, and begin with a letter or digit',
      like_an_id: '{param} must not have the form of an id',
      email: '{param} must be an e-mail address',
      phone: '{param} must be a phone number in international form, such as +491701234567',
      locale: '{param} must be a BCP 47 language tag without extensions, such as de-DE',
      zone: '{param} must be an IANA time zone, such as Europe/Berlin',
      guardian_is_system: '{param} names the system account "{account}", which cannot be a guardian',
      guardian_is_self: '{param} names the account itself, which cannot be its own guardian',
    },
    example: ['required', { param: 'to' }],
    cause:
      'A field, a query parameter or a header of the request is missing or does not fit the schema of the operation. `reason` says how, `param` where. If several fields are wrong, `errors` lists them all.',
    remedy:
      'Correct the field that `param` names. The reference of the operation shows every field with its type and an example.',
  }),
  IMPORT_INVALID: invalid({
    title: 'The import file cannot be read',
    detail: {
      file_changed: 'the file changed after it was checked; import it again',
      file_changed_from:
        'the file changed after it was checked: nothing from line {line} on was imported; import it again',
      unreadable: 'line {line}: {problem}',
      missing: 'line {line}: {column} is missing',
      account_ref: 'line {line}: account must have 1 to 200 printable ASCII characters without spaces',
      duplicate: 'line {line}: account "{account}" has {asset} on an earlier line too',
      unknown_asset: 'line {line}: there is no asset "{asset}"',
      // For a subscription's line, the report names the line beside the sentence.
      unreadable_line: '{problem}',
      unknown_column: 'there is no column "{column}"; the columns are {columns:list}',
      missing_column: '{column} is missing',
      not_text: '{column} must be text',
      status: 'status must be {allowed:list}',
      charges_made: 'charges_made must be a whole number from 0 to {max}',
      no_charges_left: 'charges_made is {made}, and the plan has {charges} charges',
      starts_after_next_due: 'started_at is after next_due_at',
      clock_change: 'next_due_at is an hour that the clocks of {zone} skip or repeat; give the next full hour',
      reference_twice: 'line {line} has the reference "{reference}" too',
      several_plans: 'several plans have the name "{plan}"; give the id',
      payer_is_receiver: 'the payer is the receiver of the plan',
    },
    example: ['missing', { line: 3, column: 'amount' }],
    cause:
      'A line of the import file is malformed, names an account, plan or asset that does not exist, or contradicts another line.',
    remedy: 'Correct the line and import the file again. Lines that were imported before are skipped.',
  }),
  FIELD_UNKNOWN: invalid({
    title: 'The request has an unknown field',
    detail: {
      similar: '{param:quoted} is not a field; did you mean {meant:field}?',
      unknown: '{param:quoted} is not a field; the fields are {known:fields}',
      no_fields: '{param:quoted} is not a field; there are no fields here',
      option: '{param:quoted} is an option: pass it in the last argument, beside the idempotency key',
    },
    example: ['similar', { param: 'ammount', meant: 'amount' }],
    cause:
      'The body or the query has a field that the operation does not take. Unknown fields are refused, because a misspelled option would otherwise be ignored.',
    remedy: 'Correct the name or remove the field.',
  }),
  CURSOR_INVALID: invalid({
    title: 'The cursor is invalid',
    detail: {
      malformed: '{param} must be a cursor that the previous page returned',
      another_list: '{param} is a cursor of another list',
    },
    example: ['malformed', { param: 'cursor' }],
    cause: 'The cursor was changed or cut off, or was returned by another list.',
    remedy:
      'Send `next_cursor` of the previous page of the same list unchanged, or leave the cursor out to start again.',
  }),
  IDEMPOTENCY_KEY_MISSING: invalid({
    title: 'An idempotency key is required',
    detail: '{param} is required: choose a new key for each new request, and send the same key when you retry',
    example: { param: 'Idempotency-Key' },
    cause:
      'The request moves money or creates something, and has no idempotency key. Without a key a retry after a timeout could do it twice.',
    remedy: 'Send a key of your choice, such as a UUID or an order number, and the same key with every retry.',
  }),
  IDEMPOTENCY_KEY_INVALID: invalid({
    title: 'The idempotency key has the wrong form',
    detail: {
      wrong_form: '{param} must be 1 to 255 printable ASCII characters',
      sent_twice: 'the header {param} was sent twice; send it once',
    },
    example: ['wrong_form', { param: 'Idempotency-Key' }],
    cause:
      'The key is empty, longer than 255 characters, has characters that are not printable ASCII, or was sent in two headers.',
    remedy: 'Send one key of 1 to 255 printable ASCII characters.',
  }),
  BUSY: retryable(
    conflict({
      title: 'Another transaction holds a required lock',
      detail: {
        lock_timeout: 'another transaction held a required lock for over {seconds} s; nothing was changed, retry',
        your_lock_timeout:
          'another transaction held a required lock for longer than the lock_timeout of your transaction; nothing was changed, retry',
        deadlock: 'another transaction and this one waited for each other; nothing was changed, retry',
        payer_balance: "another transaction holds the payer's balance; retry",
        maker_total: "another transaction holds the sum of the caller's payments from this payer; retry",
        tenant_total: "another transaction holds the tenant's daily total; retry",
        payout: 'another transaction holds payment {payment:payment}; retry',
      },
      example: ['lock_timeout', { seconds: 5 }],
      cause:
        'Another request, or a transaction of your own application, holds the balance or total that this request needs. Nothing was changed.',
      remedy: 'Send the request again, with the same `Idempotency-Key`. Keep your own transactions short.',
    }),
  ),
  IDEMPOTENCY_RUNNING: retryable(
    conflict({
      title: 'A request with this idempotency key is still running',
      detail: 'a request with the idempotency key "{key}" is still running; retry shortly',
      example: { key: 'order-1001' },
      cause: 'An earlier request of the same caller with the same key has not finished yet.',
      remedy: 'Retry with the same key after a short wait: the response is then the one of the first request.',
    }),
  ),
  IDEMPOTENCY_RESPONSE_ERASED: unprocessable({
    title: 'The request succeeded; its response was erased',
    detail: 'the request with the idempotency key "{key}" succeeded before; its response was erased',
    example: { key: 'order-1001' },
    cause:
      'The key belongs to a request that succeeded. Its stored response contained personal data of an account that was erased since, or a contact that is encrypted with a key that the server no longer has.',
    remedy: 'Do not send the request with another key: it was carried out. Read the resource instead.',
  }),
  IDEMPOTENCY_MISMATCH: unprocessable({
    title: 'The idempotency key was used for another request',
    detail: 'the idempotency key "{key}" was used for another request; use a new key',
    example: { key: 'order-1001' },
    cause: 'The same caller sent another operation or other fields under this key before.',
    remedy: 'Use a new key for each new request. To retry a request, send exactly the same fields.',
  }),
  IMPORT_CONFLICT: unprocessable({
    title: 'The import differs from what was imported before',
    detail: {
      other_amount: 'line {line}: account "{account}" was imported with another amount of {asset} before',
      other_schedule: 'another schedule has the reference "{reference}"',
      other_values: '"{reference}" was imported with other values before',
    },
    example: ['other_amount', { line: 12, account: 'alice', asset: 'USD/2' }],
    cause: 'A line with the same account and asset, or the same reference, was imported before with other values.',
    remedy:
      'Restore the values that were imported, or give the line a new reference. An import never changes what an earlier one booked.',
  }),
  IMPORT_TOTAL_MISMATCH: unprocessable({
    title: 'The import does not match the expected total',
    detail: 'the lines of the file sum to {total:amount}, and {expected:amount} was expected; nothing was imported',
    example: { param: 'expect', total: usd(98_000n), expected: usd(100_000n) },
    cause: 'The sum of an asset over all lines of the file differs from the total that the caller expects.',
    remedy: 'Compare the file with the system it comes from. Correct the file or the expected total, and import again.',
  }),
};

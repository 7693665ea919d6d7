// E-mail to payers and payees: who gets what, once, and what happens when the mail server does not take it.
import { describe, expect, test } from 'vitest';
import type { Contact, EmailSettingsChanges, Engine, TenantHandle } from '../../src/engine.ts';
import { createEngine } from '../../src/engine.ts';
import { toTypeId } from '../../src/kernel/index.ts';
import { examineMail } from '../../src/ops/mail.ts';
import { createMailer, createOutbound } from '../../src/outbound/index.ts';
import { isSendable } from '../../src/notifications/email/address.ts';
import { messageIdOf } from '../../src/notifications/email/processor.ts';
import { asText, createPool } from '../../src/db/index.ts';
import { emailsLoop } from '../../src/notifications/email/loop.ts';
import { createSecrets } from '../../src/secrets/index.ts';
import { freshTenant, matchAll, order } from '../jobs/matcher.ts';
import { createAuthority } from '../outbound/certificates.ts';
import { key, troubles } from '../support/books.ts';
import { TEST_KEY, useUsance } from '../support/database.ts';
import { refusalOf } from '../support/refusal.ts';
import { testTenant } from '../support/test-clock.ts';
import { openMailServer, sendEmails, useMailServers } from './mail.fixture.ts';

useMailServers();
const server = await openMailServer();
const FROM = 'payments@usance.example.com';
const PUBLIC_URL = 'https://pay.example.com';
const smtp = { url: `smtp://127.0.0.1:${server.port}?tls=none`, from: FROM, publicUrl: PUBLIC_URL };
const store = useUsance({ notifications: { smtp } });

let count = 0;

interface People {
  readonly tenant: TenantHandle;
  readonly alice: string;
  readonly bob: string;
}

/** Alice has 1,000.00 USD; both have an address of their own. */
async function people(
  tenant: TenantHandle,
  contacts: { readonly alice?: Contact | null; readonly bob?: Contact | null } = {},
): Promise<People> {
  const n = (count += 1);
  const [alice, bob] = [`alice-${n}@example.com`, `bob-${n}@example.com`];
  await tenant.openAccount({ ref: 'alice', name: 'Alice Miller', contact: contacts.alice ?? { email: alice } });
  await tenant.openAccount({
    ref: 'bob',
    name: 'Bob',
    contact: contacts.bob === undefined ? { email: bob } : contacts.bob,
  });
  await tenant.deposit({ account: 'alice', asset: 'USD', amount: 100_000n, idempotencyKey: key() });
  return { tenant, alice, bob };
}

async function sender(
  changes: EmailSettingsChanges = {},
  contacts: Parameters<typeof people>[1] = {},
): Promise<People> {
  const tenant = await freshTenant(store.usance);
  await tenant.createAsset('USD/2');
  const made = await people(tenant, contacts);
  await tenant.updateEmailSettings({ enabled: true, ...changes });
  await order(store.usance);
  return made;
}

const pay = (tenant: TenantHandle, change: object = {}) =>
  tenant.createPayment({ from: 'alice', to: 'bob', asset: 'USD', amount: 123_45n, idempotencyKey: key(), ...change });

async function settle(engine: Engine): Promise<void> {
  await engine.loops.find(({ name }) => name === 'processor')?.runOnce();
}

/** Pays, and sends what there is to send. */
async function paid(tenant: TenantHandle, change: object = {}): Promise<string> {
  const { id } = await pay(tenant, change);
  await settle(store.usance);
  await sendEmails(store.usance);
  return id;
}

/** Of the last event. */
const executionsOf = async (tenant: TenantHandle) => (await tenant.executions({})).executions.slice(0, 1);
const makeDue = () => store.owner.query(`update usance.execution_queue set due_at = now() - interval '1 second'`);

describe('a payment that was paid', () => {
  test('is e-mailed to payer and payee, in text and HTML, with a link to unsubscribe', async () => {
    const { tenant, alice, bob } = await sender({ fromName: 'Example Shop', replyTo: 'help@example.com' });
    const id = await paid(tenant);
    const payment = toTypeId('payment', id);
    const [received, ...more] = server.mailsTo(bob);
    expect(more).toEqual([]);
    expect(received).toMatchObject({ from: FROM, to: [bob] });
    expect(received?.headers).toMatchObject({
      from: `Example Shop <${FROM}>`,
      to: bob,
      'reply-to': 'help@example.com',
      subject: 'You received $123.45 from Alice Miller',
      'auto-submitted': 'auto-generated',
      'list-unsubscribe': expect.stringMatching(/^<https:\/\/pay\.example\.com\/unsubscribe\/[\w-]{75}>$/),
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    });
    const link = String(received?.headers['list-unsubscribe']).slice(1, -1);
    const [event] = await tenant.events({ type: 'payment.settled' });
    const at = new Intl.DateTimeFormat('en', {
      dateStyle: 'long',
      timeZone: 'UTC',
    }).format(event?.occurredAt);
    expect(received?.text).toMatch(
      new RegExp(
        `^Hello Bob,\n\nyou received \\$123\\.45 from Alice Miller on ${at} at .+ UTC\\.\n\nPayment: ${payment}\n\n-- \nUnsubscribe from these e-mails: ${link}\n$`,
      ),
    );
    expect(received?.html).toContain('<p>you received <strong>$123.45</strong> from Alice Miller on ');
    expect(received?.html).toContain(`<a href="${link}">Unsubscribe from these e-mails</a>`);
    expect(received?.headers['x-usance-event']).toBe(toTypeId('event', event?.id ?? ''));
    expect(server.mailsTo(alice)).toMatchObject([{ headers: { subject: 'You paid $123.45 to Bob' } }]);
    expect(server.mailsTo(alice)[0]?.headers['list-unsubscribe']).not.toBe(received?.headers['list-unsubscribe']);
    const { id: account } = await tenant.account('bob');
    expect(received?.headers['message-id']).toBe(messageIdOf(event?.id ?? '', account, 'usance.example.com'));
    expect(await tenant.emails('bob')).toMatchObject([
      { kind: 'payment_received', outcome: 'sent', code: null, eventId: event?.id },
    ]);
    expect(await troubles(store.usance)).toEqual([]);
  });

  test('is written in the locale and the time zone of the contact', async () => {
    const n = count + 1;
    const german = { email: `bob-${n}@example.com`, locale: 'de-DE', zone: 'Europe/Berlin' };
    const { tenant, alice, bob } = await sender(
      { kinds: ['payment_received', 'payment_sent'], locale: 'en-GB', zone: 'Asia/Tokyo' },
      { bob: german },
    );
    await tenant.deposit({ account: 'alice', asset: 'USD', amount: 500_000_00n, idempotencyKey: key() });
    await paid(tenant, { amount: 123_456_78n });
    expect(server.mailsTo(bob)[0]?.headers['subject']).toBe('You received 123.456,78 $ from Alice Miller');
    expect(server.mailsTo(bob)[0]?.text).toMatch(/ (MEZ|MESZ)\./);
    expect(server.mailsTo(alice)[0]?.headers['subject']).toBe('You paid US$123,456.78 to Bob');
    expect(server.mailsTo(alice)[0]?.text).toMatch(/ (GMT\+9|JST)\./);
  });

  test('to several payees tells each its own part', async () => {
    const { tenant, alice, bob } = await sender();
    await tenant.openAccount({ ref: 'fee', contact: { email: `fee-${count}@example.com` } });
    const legs = [
      { to: 'bob', amount: 90_00n },
      { to: 'fee', amount: 10_00n },
    ];
    await paid(tenant, { to: undefined, legs, amount: 100_00n });
    expect(server.mailsTo(bob)[0]?.headers['subject']).toBe('You received $90.00 from Alice Miller');
    expect(server.mailsTo(`fee-${count}@example.com`)[0]?.headers['subject']).toBe(
      'You received $10.00 from Alice Miller',
    );
    expect(server.mailsTo(alice)[0]?.headers['subject']).toBe('You paid $100.00 to Bob +1');
  });

  test('is told only if its kind is chosen, and to nobody once e-mail is switched off', async () => {
    const { tenant, alice, bob } = await sender({ kinds: ['payment_received'] });
    await paid(tenant);
    await tenant.updateEmailSettings({ enabled: false });
    await paid(tenant);
    expect([server.mailsTo(alice).length, server.mailsTo(bob).length]).toEqual([0, 1]);
  });
});

test('payments that are scheduled, cancelled, failed and refunded are told to the payer', async () => {
  const { tenant, alice, bob } = await sender();
  const planned = await pay(tenant, { delay: '48h' });
  await tenant.cancelPayment(planned.id, { reason: 'not wanted' });
  const failing = await pay(tenant, { delay: '30m', amount: 5_00n });
  await tenant.failPayment(failing.id, 'token=s3cret');
  const id = await paid(tenant);
  await tenant.refundPayment(id, { amount: 23_45n, idempotencyKey: key() });
  await sendEmails(store.usance);
  // Executions have no order.
  expect(
    server
      .mailsTo(alice)
      .map(({ headers }) => headers['subject'] ?? '')
      .toSorted((one, other) => (one < other ? -1 : 1)),
  ).toEqual([
    expect.stringMatching(/^\$123\.45 to Bob will be paid on \w+ \d+, \d{4}/),
    'Bob refunded $23.45 to you',
    'You paid $123.45 to Bob',
    'Your payment of $123.45 to Bob was cancelled',
    'Your payment of $5.00 to Bob failed',
  ]);
  const failed = server.mailsTo(alice).find(({ headers }) => headers['subject']?.endsWith('failed'));
  expect(failed?.text).toMatch(/failed on .+: FAILED_BY_OPERATOR\./);
  expect(
    server
      .mailsTo(alice)
      .map(({ raw }) => raw)
      .join(''),
  ).not.toContain('s3cret');
  expect(server.mailsTo(bob)).toHaveLength(1);
});

describe('an e-mail is not sent', () => {
  test('to an account without an address, or whose contact was erased, even while it waits for another attempt', async () => {
    const { tenant, alice, bob } = await sender({}, { bob: null });
    server.answers(alice, 450);
    await paid(tenant);
    expect(server.mailsTo(bob)).toEqual([]);
    await tenant.editAccount('alice', { contact: null });
    server.answers(alice, null);
    await makeDue();
    await sendEmails(store.usance);
    expect(server.mailsTo(alice)).toEqual([]);
  });

  test('about an event of a test tenant, unless it asks for it', async () => {
    const made = await testTenant(store.usance);
    const { tenant, bob } = await people(made.tenant);
    await tenant.updateEmailSettings({ enabled: true });
    await pay(tenant, { delay: '2h' }).then(({ id }) => tenant.capturePayment(id, { idempotencyKey: key() }));
    await sendEmails(store.usance);
    expect(server.mailsTo(bob)).toEqual([]);
    await tenant.updateEmailSettings({ sendTestEvents: true });
    await pay(tenant, { delay: '2h' }).then(({ id }) => tenant.capturePayment(id, { idempotencyKey: key() }));
    await sendEmails(store.usance);
    expect(server.mailsTo(bob)).toHaveLength(1);
  });

  test('beyond a hundred to one account in a day', async () => {
    const { tenant, bob, alice } = await sender();
    const { id } = await tenant.account('bob');
    await store.owner.query(
      `insert into usance.emails (tenant_id, event_id, account_id, kind, outcome, ended_at)
       select $1::uuid, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $2::uuid, 'payment_received', 'sent', now() - interval '1 hour'
       from generate_series(1, 100) n`,
      [tenant.id, id],
    );
    await paid(tenant);
    expect([server.mailsTo(bob).length, server.mailsTo(alice).length]).toEqual([0, 1]);
    expect((await tenant.emails('bob'))[0]).toMatchObject({ outcome: 'limited' });
  });

  test('beyond a hundred to one address in a day, however many accounts have it', async () => {
    const { tenant, alice, bob } = await sender({ kinds: ['payment_received'] });
    await paid(tenant);
    const [row] = await store.owner.query(
      `select encode(address_digest, 'hex') as address_digest from usance.emails where tenant_id = $1::uuid`,
      [tenant.id],
    );
    const digest = asText(row?.['address_digest']);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const [name, domain] = bob.split('@');
    const victim = await tenant.openAccount({ ref: 'bob-2', contact: { email: `${name?.toUpperCase()}+x@${domain}` } });
    await store.owner.query(
      `insert into usance.emails (tenant_id, event_id, account_id, kind, outcome, address_digest, ended_at)
       select $1::uuid, gen_random_uuid(), gen_random_uuid(), 'payment_received', 'sent', decode($2::text, 'hex'), now() - interval '1 hour'
       from generate_series(1, 99)`,
      [tenant.id, digest],
    );
    await paid(tenant, { to: 'bob-2' });
    expect(await tenant.emails(victim.id)).toMatchObject([{ outcome: 'limited' }]);
    expect([server.mailsTo(alice).length, server.mailsTo(bob).length]).toEqual([0, 1]);
  });

  test('to another account with an address that has unsubscribed', async () => {
    const { tenant, bob } = await sender({ kinds: ['payment_received'] });
    await tenant.createEmailOptOut('bob');
    await tenant.openAccount({ ref: 'bob-2', contact: { email: bob } });
    await paid(tenant, { to: 'bob-2' });
    expect(await tenant.emails('bob-2')).toMatchObject([{ outcome: 'unsubscribed' }]);
    expect(server.mailsTo(bob)).toEqual([]);
  });

  test('beyond the quota of the tenant in a day', async () => {
    const { tenant, alice, bob } = await sender({ kinds: ['payment_received', 'payment_sent'] });
    await store.owner.query(
      `insert into usance.email_counts (tenant_id, hour, sent) values ($1::uuid, date_trunc('hour', now() - interval '3 hours', 'UTC'), 9999)`,
      [tenant.id],
    );
    await paid(tenant);
    expect(server.mailsTo(alice).length + server.mailsTo(bob).length).toBe(1);
    await store.owner.query(
      `update usance.email_counts set hour = hour - interval '1 day' where tenant_id = $1::uuid and sent = 9999`,
      [tenant.id],
    );
    await paid(tenant);
    expect(server.mailsTo(alice).length + server.mailsTo(bob).length).toBe(3);
  });

  test.each([
    'a%b@example.com',
    'a!b@example.com',
    '-a@example.com',
    'a@localhost',
    'a@b..com',
    'a@127.0.0.1',
    'a@b@c.com',
    'a..b@c.com',
  ])('to %s, which a mail server could send on or read in two ways', (address) =>
    expect(isSendable(address)).toBe(false),
  );

  test('twice: an attempt that follows a failure leaves out who has it', async () => {
    const { tenant, alice, bob } = await sender();
    server.answers(bob, 450);
    await paid(tenant);
    expect([server.mailsTo(alice).length, server.mailsTo(bob).length]).toEqual([1, 0]);
    expect(await executionsOf(tenant)).toMatchObject([
      { status: 'pending', code: 'EMAIL_FAILED', error: 'the mail server answered 450 to RCPT TO' },
    ]);
    server.answers(bob, null);
    await makeDue();
    await sendEmails(store.usance);
    expect([server.mailsTo(alice).length, server.mailsTo(bob).length]).toEqual([1, 1]);
    expect(await executionsOf(tenant)).toMatchObject([{ status: 'completed', result: { sent: 1, refused: 0 } }]);
  });

  test('again after the server refused the recipient, and the others have it', async () => {
    const { tenant, alice, bob } = await sender();
    server.answers(bob, 550);
    await paid(tenant);
    expect(await executionsOf(tenant)).toMatchObject([{ status: 'completed', result: { sent: 1, refused: 1 } }]);
    expect(await tenant.emails('bob')).toMatchObject([{ outcome: 'refused', code: 550 }]);
    expect([server.mailsTo(alice).length, server.mailsTo(bob).length]).toEqual([1, 0]);
  });

  test('to an address that could be read in two ways, whatever was stored as one', async () => {
    const tricky = { email: 'bob,eve@evil.example.com' };
    const { tenant, alice } = await sender({}, { bob: tricky });
    await paid(tenant);
    expect(await tenant.emails('bob')).toMatchObject([{ outcome: 'refused', code: null }]);
    expect(server.mailsTo(alice)).toHaveLength(1);
    expect(server.mails.some(({ to }) => to.some((address) => address.includes('eve')))).toBe(false);
  });
});

test('a contact that cannot be read keeps the others from nothing, and fails the attempt', async () => {
  const { tenant, alice, bob } = await sender();
  const damage = () =>
    store.owner.query(
      `update usance.accounts set contact_encrypted = set_byte(contact_encrypted, 40, get_byte(contact_encrypted, 40) # 1)
       where tenant_id = $1::uuid and ref = 'alice'`,
      [tenant.id],
    );
  await damage();
  await paid(tenant);
  expect(server.mailsTo(alice)).toEqual([]);
  expect(server.mailsTo(bob)).toHaveLength(1);
  expect(await executionsOf(tenant)).toMatchObject([{ status: 'pending', attemptNumber: 1, code: 'EMAIL_FAILED' }]);
  await damage();
  await makeDue();
  await sendEmails(store.usance);
  expect(server.mailsTo(alice)).toHaveLength(1);
  expect(server.mailsTo(bob)).toHaveLength(1);
});

test('a worker without the key of a tenant leaves its e-mail alone for half a minute, and says so once', async () => {
  const { tenant, bob } = await sender({ kinds: ['payment_received'] });
  await pay(tenant);
  await settle(store.usance);
  await order(store.usance);
  await matchAll(store.usance);
  const notices: string[] = [];
  const db = createPool({ url: store.runtimeUrl });
  const loop = emailsLoop(db, {
    schema: 'usance',
    url: () => store.runtimeUrl,
    listenUrl: null,
    secrets: createSecrets({ key: Buffer.from('a key for the other worker: 32 b').toString('base64') }),
    smtp: { from: FROM, publicUrl: PUBLIC_URL, mailer: createMailer(smtp, createOutbound()) },
    onNotice: (line) => void notices.push(line),
  });
  let claimed = 0;
  try {
    const stop = new AbortController().signal;
    // The runs of a process that goes on: one that ends would wait until nothing is due.
    for (let n = 0; n < 4; n += 1) claimed += (await loop.runOnce(stop, true)).counts['claimed'] ?? 0;
  } finally {
    await loop.stop?.();
    await db.close();
  }
  expect(claimed).toBe(1);
  expect(notices.filter((line) => line.startsWith('e-mails of job_'))).toHaveLength(1);
  expect(await executionsOf(tenant)).toMatchObject([{ status: 'pending', attemptNumber: 0 }]);
  await sendEmails(store.usance);
  expect(server.mailsTo(bob)).toHaveLength(1);
});

describe('a name', () => {
  test('cannot add a header, a recipient or an element', async () => {
    const tenant = await freshTenant(store.usance);
    await tenant.createAsset('USD/2');
    const { alice, bob } = await people(tenant);
    const name = 'Eve\u2028Bcc: eve@example.com <script>alert(1)</script> {{reason}} {{payment_id}} "&\u202Emoc';
    await tenant.editAccount('alice', { name });
    await tenant.updateEmailSettings({ enabled: true, kinds: ['payment_received'] });
    await order(store.usance);
    await paid(tenant);
    const [mail] = server.mailsTo(bob);
    expect(mail?.to).toEqual([bob]);
    expect(mail?.headers).not.toHaveProperty('bcc');
    expect(mail?.headers['subject']).toContain('Eve Bcc: eve@example.com <script>');
    expect(mail?.html).not.toContain('<script>');
    expect(mail?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; {{reason}} {{payment_id}} &quot;&amp; moc');
    expect(mail?.text).toContain('{{reason}}');
    expect(server.mailsTo(alice)).toEqual([]);
  });
});

test('e-mails to an account are listed by page, without a gap or a copy', async () => {
  const { tenant } = await sender({ kinds: ['payment_received'] });
  for (let n = 0; n < 5; n += 1) await paid(tenant, { amount: 1_00n });
  const all = await tenant.emails('bob');
  expect(all).toHaveLength(5);
  const paged: string[] = [];
  for (let before: string | undefined; paged.length < 5;) {
    const page = await tenant.emails('bob', { limit: 2, ...(before === undefined ? {} : { before }) });
    expect(page.length).toBeGreaterThan(0);
    paged.push(...page.map(({ eventId }) => eventId));
    before = paged.at(-1);
  }
  expect(paged).toEqual(all.map(({ eventId }) => eventId));
  expect(await tenant.emails('bob', { before: paged.at(-1) ?? '' })).toEqual([]);
  expect(await refusalOf(tenant.emails('bob', { before: 'first' }))).toBe('ID_INVALID');
});

describe('texts of the tenant', () => {
  test('replace those of usance, in the language of the recipient', async () => {
    const n = count + 1;
    const { tenant, bob, alice } = await sender({}, { bob: { email: `bob-${n}@example.com`, locale: 'de-AT' } });
    const texts = {
      subject: '{{amount}} von {{payer}}',
      text: 'Servus {{recipient}}!',
      html: '<p>Servus <b>{{recipient}}</b>!</p>',
    };
    await tenant.setEmailTemplate({ kind: 'payment_received', language: 'de', ...texts });
    await tenant.setEmailTemplate({ kind: 'payment_sent', ...texts, subject: 'Paid {{ amount }} ({{sender}})' });
    await paid(tenant);
    const [mail] = server.mailsTo(bob);
    expect(mail?.headers['subject']).toBe('$ 123,45 von Alice Miller');
    expect(mail?.text).toMatch(/^Servus Bob!\n\n-- \nUnsubscribe/);
    expect(mail?.html).toContain('<html lang="de">');
    expect(mail?.html).toContain('<p>Servus <b>Bob</b>!</p>');
    expect(server.mailsTo(alice)[0]?.headers['subject']).toBe(`Paid $123.45 (${tenant.name})`);
    expect(await tenant.emailTemplates()).toEqual([
      { kind: 'payment_received', language: 'de', subject: texts.subject, updatedAt: expect.any(Date) },
      { kind: 'payment_sent', language: '', subject: expect.any(String), updatedAt: expect.any(Date) },
    ]);
    expect(await tenant.emailTemplate('payment_received', 'de')).toMatchObject(texts);
    expect(await refusalOf(tenant.emailTemplate('payment_received', 'fr'))).toBe('EMAIL_TEMPLATE_NOT_FOUND');
    await tenant.deleteEmailTemplate('payment_received', 'de');
    await paid(tenant);
    expect(server.mailsTo(bob)[1]?.headers['subject']).toBe('You received $ 123,45 from Alice Miller');
  });

  test('of a tenant have a megabyte at most, and one can be replaced at the limit', async () => {
    const tenant = await freshTenant(store.usance);
    const large = { kind: 'payment_sent', subject: 'x', text: 'x'.repeat(20_000), html: 'x'.repeat(50_000) } as const;
    const languages = ['aa', 'ab', 'ac', 'ad', 'ae', 'af', 'ag', 'ah', 'ai', 'aj', 'ak', 'al', 'am', 'an'];
    for (const language of languages) await tenant.setEmailTemplate({ ...large, language });
    expect(await refusalOf(tenant.setEmailTemplate({ ...large, language: 'ao' }))).toBe('EMAIL_TEMPLATES_TOO_MANY');
    await tenant.setEmailTemplate({ ...large, language: 'an' });
    await tenant.setEmailTemplate({ ...large, language: 'ao', text: 'x', html: 'x' });
  });

  const GOOD = { kind: 'payment_sent', subject: 'x', text: 'x', html: '<p>x</p>' } as const;
  test.each([
    [{ text: '{{total}}' }, 'EMAIL_TEMPLATE_INVALID'],
    [{ subject: '{{constructor}}' }, 'EMAIL_TEMPLATE_INVALID'],
    [{ subject: '{{ amount }' }, 'EMAIL_TEMPLATE_INVALID'],
    [{ html: '{{amount}} }}' }, 'EMAIL_TEMPLATE_INVALID'],
    [{ subject: 'a\r\nBcc: eve@example.com' }, 'EMAIL_TEMPLATE_INVALID'],
    [{ html: '<script>x</script>' }, 'EMAIL_TEMPLATE_INVALID'],
    [{ html: '<form action="https://evil.example.com">' }, 'EMAIL_TEMPLATE_INVALID'],
    [{ html: '<img src=x onerror=alert(1)>' }, 'EMAIL_TEMPLATE_INVALID'],
    [{ html: '<a href="javascript:alert(1)">x</a>' }, 'EMAIL_TEMPLATE_INVALID'],
    [{ html: '' }, 'FIELD_INVALID'],
    [{ text: 'x'.repeat(20_001) }, 'FIELD_INVALID'],
    [{ language: 'de-DE' }, 'FIELD_INVALID'],
    [{ kind: 'payment_lost' as 'payment_sent' }, 'FIELD_INVALID'],
  ])('with %j are refused', async (change, code) => {
    expect(await refusalOf(store.tenant.setEmailTemplate({ ...GOOD, ...change }))).toBe(code);
  });
});

describe('settings', () => {
  test.each([
    [{ kinds: [] }, 'FIELD_INVALID'],
    [{ kinds: ['payment_lost' as 'payment_sent'] }, 'FIELD_INVALID'],
    [{ fromName: 'Shop\r\nBcc: eve@example.com' }, 'FIELD_INVALID'],
    [{ fromName: '"Shop" <eve@example.com>' }, 'FIELD_INVALID'],
    [{ fromName: 'Shop \u202Emoc.elpmaxe' }, 'FIELD_INVALID'],
    [{ replyTo: 'help\u202E@example.com' }, 'FIELD_INVALID'],
    [{ replyTo: 'help%other.example@example.com' }, 'FIELD_INVALID'],
    [{ replyTo: 'nobody' }, 'FIELD_INVALID'],
    [{ locale: 'xx-not-a-locale-at-all' }, 'FIELD_INVALID'],
    [{ locale: 'en-u-nu-arab' }, 'FIELD_INVALID'],
    [{ zone: 'Mars/Phobos' }, 'FIELD_INVALID'],
  ])('with %j are refused', async (change, code) => {
    expect(await refusalOf(store.tenant.updateEmailSettings(change))).toBe(code);
  });

  test.each([
    [{ replyTo: 'nobody' }, /^replyTo must/],
    [{ locale: 'xx-not-a-locale-at-all' }, /^locale must/],
    [{ zone: 'Mars/Phobos' }, /^zone must/],
  ])('with %j are refused by the name of their field', async (change, says) => {
    await expect(store.tenant.updateEmailSettings(change)).rejects.toThrow(says);
  });

  test('cannot be enabled where there is no mail server', async () => {
    const engine = await createEngine({ databaseUrl: store.runtimeUrl, migrate: false, encryption: { key: TEST_KEY } });
    try {
      const tenant = await engine.tenant('shop');
      expect(await refusalOf(tenant.updateEmailSettings({ enabled: true }))).toBe('EMAIL_NOT_CONFIGURED');
    } finally {
      await engine.close();
    }
  });

  test('own the job that sends, which cannot be changed as a job', async () => {
    const { tenant } = await sender();
    const { id } = await tenant.emailSettings();
    expect(await tenant.job(id ?? '')).toMatchObject({ managed: true, processorName: 'email', enabled: true });
    expect(await refusalOf(tenant.deleteJob(id ?? ''))).toBe('JOB_MANAGED');
    await pay(tenant);
    await settle(store.usance);
    await order(store.usance);
    await matchAll(store.usance);
    const [execution] = await executionsOf(tenant);
    expect(await refusalOf(tenant.cancelExecution(execution?.id ?? '', { refusesManaged: true }))).toBe('JOB_MANAGED');
  });
});

describe('a mail server', () => {
  const authority = createAuthority();

  async function through(url: string, ca?: string): Promise<Engine> {
    return createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      encryption: { key: TEST_KEY },
      notifications: { smtp: { url, from: FROM, publicUrl: PUBLIC_URL, ...(ca === undefined ? {} : { ca }) } },
    });
  }

  async function once(url: string, ca?: string) {
    const { tenant, bob } = await sender({ kinds: ['payment_received'] });
    const engine = await through(url, ca);
    try {
      await pay(tenant);
      await settle(engine);
      await sendEmails(engine);
      const [execution] = await executionsOf(tenant);
      await tenant.updateEmailSettings({ enabled: false });
      const mailer = createMailer({ ...smtp, url, ...(ca === undefined ? {} : { ca }) }, createOutbound());
      return { bob, execution, checked: await mailer.check().finally(() => mailer.close()) };
    } finally {
      await engine.close();
    }
  }

  test('gets e-mail over STARTTLS, after signing in', async () => {
    const { cert, key: privateKey } = authority.issue(['localhost']);
    const tls = await openMailServer({ cert, key: privateKey });
    const { bob, checked } = await once(`smtp://mailer:s3cret@localhost:${tls.port}`, authority.ca);
    expect(tls.mailsTo(bob)).toMatchObject([{ secure: true, user: 'mailer' }]);
    expect(checked).toBeNull();
  });

  test('is examined by the doctor, which sends nothing', async () => {
    const plain = await openMailServer();
    const at = { ...smtp, url: `smtp://127.0.0.1:${plain.port}?tls=none` };
    expect(await examineMail(at)).toMatchObject({
      level: 'ok',
      says: expect.stringContaining(`127.0.0.1:${plain.port} accepts`),
    });
    const none = { ...at, url: 'smtp://user:s3cret@127.0.0.1:1?tls=none' };
    const finding = await examineMail(none);
    expect(finding).toMatchObject({ level: 'fail' });
    expect(JSON.stringify(finding)).not.toContain('s3cret');
    expect(plain.mails).toEqual([]);
  });

  test('gets e-mail over TLS from the first byte', async () => {
    const { cert, key: privateKey } = authority.issue(['localhost']);
    const tls = await openMailServer({ secure: true, cert, key: privateKey });
    const { bob } = await once(`smtps://localhost:${tls.port}`, authority.ca);
    expect(tls.mailsTo(bob)).toMatchObject([{ secure: true }]);
  });

  test('whose certificate is not trusted gets nothing, nor does one without STARTTLS', async () => {
    const { cert, key: privateKey } = createAuthority().issue(['localhost']);
    const untrusted = await openMailServer({ cert, key: privateKey });
    const { execution, checked } = await once(`smtp://localhost:${untrusted.port}`, authority.ca);
    expect(execution).toMatchObject({ status: 'pending', code: 'EMAIL_FAILED' });
    expect(checked).toMatch(/^the mail server could not be used \(/);
    const plain = await openMailServer();
    expect((await once(`smtp://localhost:${plain.port}`)).execution).toMatchObject({ code: 'EMAIL_FAILED' });
    expect([untrusted.mails, plain.mails]).toEqual([[], []]);
  });

  test('that refuses the password fails the attempt, and no error has the password', async () => {
    const { cert, key: privateKey } = authority.issue(['localhost']);
    const tls = await openMailServer({ cert, key: privateKey });
    const { execution, checked } = await once(`smtp://mailer:wr0ng@localhost:${tls.port}`, authority.ca);
    expect(execution).toMatchObject({ status: 'pending', code: 'EMAIL_FAILED' });
    expect(`${execution?.error} ${checked}`).toContain('535');
    expect(`${execution?.error} ${checked}`).not.toContain('wr0ng');
  });

  test('that hangs, or refuses the text, does not lose the e-mail or send it twice', async () => {
    const { tenant, alice, bob } = await sender();
    const engine = await createEngine({
      databaseUrl: store.runtimeUrl,
      migrate: false,
      encryption: { key: TEST_KEY },
      notifications: { smtp: { ...smtp, responseMs: 300 } },
    });
    try {
      server.answers(bob, 'hang');
      await pay(tenant);
      await settle(engine);
      await sendEmails(engine);
      expect([server.mailsTo(alice).length, server.mailsTo(bob).length]).toEqual([1, 0]);
      expect(await executionsOf(tenant)).toMatchObject([{ status: 'pending', code: 'EMAIL_FAILED' }]);
      server.answers(bob, null);
      server.answersData(451);
      await makeDue();
      await sendEmails(engine);
      expect(await executionsOf(tenant)).toMatchObject([
        { status: 'pending', attemptNumber: 2, error: 'the mail server answered 451 to DATA' },
      ]);
      server.answersData(554);
      await makeDue();
      await sendEmails(engine);
      expect(await executionsOf(tenant)).toMatchObject([{ status: 'completed', result: { refused: 1, sent: 0 } }]);
      expect(await tenant.emails('bob')).toMatchObject([{ outcome: 'refused', code: 554 }]);
      expect([server.mailsTo(alice).length, server.mailsTo(bob).length]).toEqual([1, 0]);
    } finally {
      server.answersData(null);
      await engine.close();
    }
  });

  test('that is not there fails the attempt', async () => {
    const { execution } = await once('smtp://127.0.0.1:1?tls=none');
    expect(execution).toMatchObject({ status: 'pending', code: 'EMAIL_FAILED' });
  });
});

// Workers of the design of payment intents.
import type { Requirement } from './row.ts';
import { by, open, row } from './row.ts';

const SHOWN = by(
  'webhooks/deliver',
  'is the event as the API shows it, signed so that the reference library verifies it',
);
const STATUSES = by('conformance/webhook-views', 'has a row of every status, and the URL without its query');
const QUERY = by(
  'conformance/webhook-views',
  'answers the query of the worker of the design, and the rate of its alert',
);
const KILLED = by(
  'webhooks/chaos/chaos',
  'workers that are killed deliver every event to each endpoint that answers 2xx in the end',
);

const PAID = by(
  'payouts/payouts',
  'reserves, is signed and sent, and settles at finality with the fee that the chain took',
);
const REVIEWED = by(
  'payouts/payouts',
  'does not answer for ten minutes, the payout goes to review once, keeps its funds, and settles when it is seen',
);
const MEASURED = by('rails/health', 'has the metrics, the fee in US dollars, and what it was converted by');
const SNAPSHOTS = by('rails/health', 'takes a snapshot of each chain an interval, of one that fails too');

const ENDED = by(
  'payouts/payouts',
  'lets a transaction expire, another attempt follows while the funds stay reserved, and the third is the last',
);
const VIEWED = by('conformance/payout-views', 'is in the views as it is');
const REVERSED = by('conformance/payout-views', 'has a reversal for each debit, and its release');
const RETRY = by('kernel/retry', '%s waits as the designs say, then gives up');
const LEASED = by(
  'payouts/known-bugs',
  'is not given up by a worker whose lease is over, while another one watches it',
);
const CHOSEN = by('payouts/choose-route', 'takes the best chain; the route is stored with its inputs, and replays');
const SKIPPED = by('rails/scoring', 'names the first reason that applies to a chain that does not qualify');
const STATUS = by('rails/pure', 'with error rate %s and congestion %s is %s');
const EXAMPLE = by('rails/scoring', 'scores the worked example: Ethereum 0.196, Solana 0.962');

export const PAYMENT_INTENTS: readonly Requirement[] = [
  row(
    'S3-03',
    'Work on a payout begins with its id: its due row, which the processor of the ledger never claims',
    by('payouts/payouts', 'is never claimed by the processor of the ledger'),
  ),
  row('S3-04', 'The worker reads the intent that it works on', PAID),
  row(
    'S3-05',
    'It sends only an intent that is route_selected, and whose lease it holds',
    VIEWED,
    by('payouts/known-bugs', 'is not sent by a worker that slept past its lease before it stored what it signed'),
  ),
  row('S3-06', 'It sends over the adapter of the chain that was selected', CHOSEN),
  row('S3-07', 'The adapter builds and sends the transfer', PAID),
  row(
    'S3-08',
    'The attempt has its transaction id and its signed bytes before they are sent, so a crash loses no transaction',
    by(
      'payouts/chaos',
      'a worker that is killed at any step of a payout leaves it to the next one, which pays it once',
    ),
  ),
  row('S3-09', 'A transaction that was sent makes the intent broadcasted', VIEWED),
  row('S3-10', 'The ledger has a debit from the broadcast on', VIEWED),
  row('S3-11', 'The last attempt that fails makes the intent failed', ENDED),
  row('S3-12', 'It is released in the ledger', REVERSED),
  row('S3-13', "The treasury's funds that were held for it are available again", ENDED),
  row('S3-14', 'It emits payment.failed', ENDED),
  row('S3-15', 'A payout has at most three attempts, 5 and 10 s apart', ENDED, RETRY),
  row(
    'S3-16',
    'Between attempts the reservation stays; failure, release and payment.failed come after the last',
    ENDED,
  ),
  row('S3-17', 'An unknown outcome after the send releases nothing: it is watched, then reviewed', REVIEWED),
  row(
    'S3-18',
    'Sent attempts are looked at every 15 s, configurable',
    by('payouts/payouts', 'is looked at on its chain every 15 seconds'),
    by(
      'cli/payout-worker',
      'a worker for payouts and health measures the chain, sends a payout and watches it until it is final',
    ),
  ),
  row(
    'S3-19',
    'Every attempt that was sent is looked at',
    REVIEWED,
    by('payouts/hostile-chains', 'to some calls does not keep what others have found past their lease'),
  ),
  row('S3-20', 'The chain is asked about each attempt', PAID),
  row('S3-21', 'A transaction that is final makes its attempt confirmed', PAID),
  row('S3-22', 'It makes the intent settled', PAID),
  row('S3-23', 'The actual fee is an entry of the ledger', PAID),
  row('S3-24', 'A settlement takes the amount off the reserve only, once', PAID),
  row('S3-25', 'It emits payment.settled', PAID),
  row('S3-26', 'An attempt that is not final after 10 minutes puts the intent into manual_review', REVIEWED),
  row('S3-27', 'payment.manual_review is emitted once, and a late confirmation settles', REVIEWED),
  row('S3-28', 'It catches chains that do not answer, and transactions that were dropped', REVIEWED),
  row('S3-29', 'The funds stay reserved in manual_review', REVIEWED),
  row(
    'S3-30',
    'A worker sends webhooks; here the first attempt begins after the commit, without a wait of 5 s',
    KILLED,
  ),
  row('S3-31', 'It takes what is not delivered and has attempts left', QUERY),
  row(
    'S3-32',
    'It reads the URL of the merchant before each attempt; here a tenant has several endpoints',
    by('webhooks/deliver', 'go to the URL, with the secret and headers, that the endpoint has by then'),
  ),
  row(
    'S3-33',
    'It sends JSON by POST over HTTPS',
    SHOWN,
    by('webhooks/deliver', 'has a certificate of an unknown authority fails the attempt, and a good one does not'),
  ),
  row(
    'S3-34',
    'A header has the HMAC-SHA256 of the body',
    by('webhooks/deliver', 'has the headers of its endpoint, and the plain HMAC of the body if it asks for it'),
    by('webhooks/signature', 'the reference library verifies a signature of the server, whatever the body'),
  ),
  row('S3-35', 'A success makes it delivered', STATUSES),
  row('S3-36', 'A failure counts its attempt, with the instant', STATUSES),
  row(
    'S3-37',
    'Delivery is at least once: five attempts five seconds apart, or those of Standard Webhooks, then a dead letter that can be sent again',
    by('webhooks/deliver', 'by the schedule %s are %d, and then it is a dead letter'),
    by('webhooks/deliver', 'have the waits of Standard Webhooks, shortened by a tenth at most'),
    by('webhooks/deliveries', 'that completed or failed is sent again, with all its attempts and the same webhook-id'),
    KILLED,
  ),
  row('S3-38', 'Chains are measured every METRICS_INTERVAL_MS, by default 15,000', SNAPSHOTS),
  row('S3-39', 'Each adapter is measured, and its snapshot stored with the status', MEASURED),
  row('S3-40', 'An adapter that fails has an unhealthy snapshot', SNAPSHOTS),
  row(
    'S3-41',
    'A route skips an unhealthy chain, and scores a degraded one lower',
    SKIPPED,
    by('rails/scoring', 'scores a degraded chain lower than the same chain when healthy'),
  ),
  row('S3-42', 'A chain is unhealthy above an error rate of 0.30 or a congestion of 0.80', STATUS),
  row('S3-43', 'It is degraded above 0.10 or 0.50', STATUS),
  row('S3-44', 'Else it is healthy; exactly 0.30 or 0.80 is degraded', STATUS),
  row('S3-45', 'The average time to confirmation makes the latency score', EXAMPLE),
  row('S3-46', 'The error rate makes the reliability score, and the status', EXAMPLE, STATUS),
  row('S3-47', 'The 95th percentile of the latency is measured', MEASURED),
  row('S3-48', 'The congestion, from 0 to 1, makes the status', STATUS),
  row('S3-49', 'The estimated fee in US dollars makes the fee score', EXAMPLE, MEASURED),
  row('S3-50', 'The licence is MIT', open('no test reads the licence of the package')),
  row('S3-51', 'A debit whose transaction never lands is reversed', REVERSED),
  row('S3-52', 'Several workers repeat no work: attempts and deliveries are claimed with a lease', LEASED, KILLED),
];

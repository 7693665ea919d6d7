// One dead letter: its cause, and what it is a letter of.
import type { ReactNode } from 'react';
import type { DeadLetter } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import { useRead } from '../../api/queries.ts';
import { Link, navigate } from '../../app/router.tsx';
import type { Action } from '../../parts/action.tsx';
import { ActionButton } from '../../parts/action.tsx';
import { formatDuration, formatLocal, formatMoney, inWords, sentenceCase } from '../../parts/format.ts';
import { Facts, PageHead, Panel } from '../../parts/layout.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { State } from '../../parts/state.tsx';
import { WithAccounts } from '../../parts/account-text.tsx';
import { CopyId, Money, When, pageOf } from '../../parts/values.tsx';

const money = ({ amount, asset }: DeadLetter): string =>
  amount === null || asset === null ? '' : ` of ${formatMoney(amount, asset)}`;

const retry: Action<DeadLetter> = {
  name: 'deadLetters.retry',
  label: 'Retry',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'body',
  lead: (letter) => `The ${letter.kind}${money(letter)} gets all of its attempts again.`,
  run: ({ id }, { reason = '' }, options) => api.deadLetters.retry(id, { reason }, options),
  done: () => 'Retried.',
};

const discard: Action<DeadLetter> = {
  name: 'deadLetters.discard',
  label: 'Discard',
  tone: 'danger',
  scope: 'ops:write',
  reason: 'body',
  lead: (letter) => `The ${letter.kind}${money(letter)} is not tried again. The audit log keeps it.`,
  run: ({ id }, { reason = '' }, options) => api.deadLetters.discard(id, { reason }, options),
  done: () => 'Discarded.',
};

export function Page({ params }: { readonly params: Readonly<Record<string, string>> }): ReactNode {
  const id = params['id'] ?? '';
  const read = useRead('deadLetters.get', [id], () => api.deadLetters.get(id));
  return (
    <>
      {read.data === undefined && (
        <PageHead title="Dead letter" back={['Dead letters', '/dead-letters']} lead={<CopyId of={id} />} />
      )}
      <Loaded read={read}>{(letter) => <Whole of={letter} />}</Loaded>
    </>
  );
}

function Whole({ of: letter }: { readonly of: DeadLetter }): ReactNode {
  const { id, kind, code, detail, amount, asset } = letter;
  const back = (): void => navigate('/dead-letters');
  const page = pageOf(id);
  return (
    <>
      <PageHead
        title={`Dead letter: ${kind === 'payment' ? 'a payment' : kind === 'occurrence' ? 'a run of a schedule' : 'an execution of a job'}`}
        back={['Dead letters', '/dead-letters']}
        state={<State of="failed" />}
      >
        <ActionButton action={retry} subject={letter} onDone={back} />
        <ActionButton action={discard} subject={letter} onDone={back} />
      </PageHead>
      <section className="why-box" aria-label="Cause">
        <div className="why bad">
          <p className="reason">
            <WithAccounts text={sentenceCase(detail)} />
          </p>
          <p className="soft">
            {sentenceCase(inWords(code))}{' '}
            <a href={`/docs#${code}`} target="_blank" rel="noreferrer">
              <code>{code}</code>
            </a>
          </p>
        </div>
      </section>
      <Panel title="Letter">
        <Facts
          rows={[
            ['Id', <CopyId key="id" of={id} />],
            amount !== null && asset !== null && ['At stake', <Money key="money" minor={amount} asset={asset} />],
            ['Failed', <When key="failed" at={letter.failedAt} exact />],
            ['Age', formatDuration(letter.age)],
            page !== null && ['Whole story', <Link key="page" to={page}>{`Open the ${kind}`}</Link>],
            letter.schedule !== null && [
              'Schedule',
              <Link key="schedule" to={pageOf(letter.schedule) ?? '/schedules'}>
                {letter.schedule}
              </Link>,
            ],
            letter.slot !== null && ['Slot', formatLocal(letter.slot)],
            letter.job !== null && [
              'Job',
              <Link key="job" to={pageOf(letter.job) ?? '/jobs'}>
                {letter.job}
              </Link>,
            ],
          ]}
        />
      </Panel>
    </>
  );
}

// What an operator and an admin can do with the guards of payouts.
import type { PayoutCap, PayoutDestination, PayoutPolicy } from '../../../../src/client/index.ts';
import { api } from '../../api/client.ts';
import type { Action } from '../../parts/action.tsx';
import { amountText, requireMinor } from '../../parts/fields.tsx';
import { secondsOf, shortAddress } from '../../parts/format.ts';

const YES_NO = [
  ['true', 'yes'],
  ['false', 'no'],
] as const;

/** A wait as a person writes it: 24h. */
const waitText = (wait: string): string => {
  const seconds = secondsOf(wait);
  return seconds % 3_600 === 0 ? `${seconds / 3_600}h` : `PT${seconds}S`;
};

export const setPolicy: Action<PayoutPolicy> = {
  name: 'payoutPolicy.set',
  label: 'Change the policy',
  scope: 'admin',
  reason: 'required',
  lead: () =>
    'With listed addresses only, a payout to another address is refused, and one that was created before fails when it is due. A longer wait and the second person hold for addresses that are added afterwards.',
  fields: ({ listedOnly, wait, secondPerson }) => [
    {
      name: 'listedOnly',
      label: 'Listed addresses only',
      kind: 'select',
      isRequired: true,
      initial: String(listedOnly),
      options: YES_NO,
    },
    {
      name: 'wait',
      label: 'Wait of a new address',
      kind: 'text',
      isRequired: true,
      initial: waitText(wait),
      hint: 'Such as 24h or P2D; at most 31 days.',
    },
    {
      name: 'secondPerson',
      label: 'A second person approves a new address',
      kind: 'select',
      isRequired: true,
      initial: String(secondPerson),
      options: YES_NO,
    },
  ],
  isChange: (policy, { listedOnly, wait = '', secondPerson }) =>
    listedOnly !== String(policy.listedOnly) ||
    wait.trim() !== waitText(policy.wait) ||
    secondPerson !== String(policy.secondPerson),
  confirm: () => 'Save',
  run: (_, { listedOnly, wait = '', secondPerson }, options) =>
    api.payoutPolicy.set(
      { listedOnly: listedOnly === 'true', wait: wait.trim(), secondPerson: secondPerson === 'true' },
      options,
    ),
  done: () => 'Changed the policy.',
};

export const addDestination: Action<null> = {
  name: 'payoutDestinations.create',
  label: 'Add an address',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'required',
  lead: () => 'Payouts may go there after the wait of the policy and, if the policy asks for it, a second person.',
  fields: () => [
    { name: 'chain', label: 'Chain', kind: 'text', initial: 'sandbox', isRequired: true },
    { name: 'address', label: 'Address', kind: 'text', isRequired: true },
    { name: 'label', label: 'Label', kind: 'text', placeholder: 'Ana' },
  ],
  run: (_, { chain = '', address = '', label = '' }, options) =>
    api.payoutDestinations.create(
      { chain: chain.trim(), address: address.trim(), ...(label.trim() === '' ? {} : { label: label.trim() }) },
      options,
    ),
  done: () => 'Listed the address.',
};

const nameOf = ({ label, address, chain }: PayoutDestination): string =>
  `${label ?? shortAddress(address)} on ${chain}`;

export const approveDestination: Action<PayoutDestination> = {
  name: 'payoutDestinations.approve',
  label: 'Approve',
  tone: 'primary',
  scope: 'ops:write',
  reason: 'required',
  applies: ({ usableAt }) => usableAt === null,
  lead: (destination) =>
    `Payouts may go to ${nameOf(destination)} (${destination.address}) after the wait of the policy, which begins now. Another person than the one that added it approves.`,
  run: ({ id }, _values, options) => api.payoutDestinations.approve(id, options),
  done: (destination) => `Approved ${nameOf(destination)}.`,
};

export const removeDestination: Action<PayoutDestination> = {
  name: 'payoutDestinations.remove',
  label: 'Remove',
  tone: 'danger',
  scope: 'ops:write',
  reason: 'body',
  lead: (destination) =>
    `Nothing more is signed for payouts to ${nameOf(destination)}. What was signed before is not affected.`,
  run: ({ id }, { reason = '' }, options) => api.payoutDestinations.remove(id, { reason }, options),
  done: (destination) => `Removed ${nameOf(destination)}.`,
};

const CAPS = [
  ['maxAmount', 'Most a payout'],
  ['dailyAmount', 'Most a day'],
] as const;

export const setCap: Action<PayoutCap | null> = {
  name: 'payoutCaps.set',
  label: 'Set a cap',
  tone: 'primary',
  scope: 'admin',
  reason: 'required',
  lead: (cap) =>
    cap === null
      ? 'Of one asset, on one chain or on all together. A payout above the first is refused; one that would exceed the second waits until less was signed in the last 24 hours.'
      : `The caps of ${cap.asset} ${cap.chain === null ? 'on all chains together' : `on ${cap.chain}`}. An empty field lifts its cap.`,
  fields: (cap) => [
    ...(cap === null
      ? [
          { name: 'asset', label: 'Asset', kind: 'text', initial: 'USDC/6', isRequired: true } as const,
          { name: 'chain', label: 'Chain', kind: 'text', hint: 'Empty: all chains together.' } as const,
        ]
      : []),
    ...CAPS.map(([name, label]) => ({
      name,
      label,
      kind: 'text' as const,
      initial: cap?.[name] ? amountText(cap[name], cap.asset) : '',
    })),
  ],
  trouble: (cap, { maxAmount = '', dailyAmount = '' }) =>
    cap === null && maxAmount.trim() === '' && dailyAmount.trim() === '' ? 'Enter at least one cap.' : null,
  isChange: (cap, values) =>
    cap === null || CAPS.some(([name]) => values[name] !== (cap[name] ? amountText(cap[name], cap.asset) : '')),
  confirm: () => 'Save',
  run: async (cap, values, options) => {
    const asset = cap?.asset ?? (values['asset'] ?? '').trim();
    const chain = cap === null ? (values['chain'] ?? '').trim() : (cap.chain ?? '');
    const amounts = CAPS.flatMap(([name]): [string, string | null][] => {
      const text = (values[name] ?? '').trim();
      if (text === '') return cap?.[name] ? [[name, null]] : [];
      const minor = requireMinor(text, asset);
      return [[name, minor]];
    });
    return api.payoutCaps.set({ asset, ...(chain === '' ? {} : { chain }), ...Object.fromEntries(amounts) }, options);
  },
  done: () => 'Changed the cap.',
};

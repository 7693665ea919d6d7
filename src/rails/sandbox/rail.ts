// The adapter of the simulated chain. It is written as an adapter of a real chain is: it sees only endpoints, two of which must agree
// before a payout ends. One endpoint is enough to say that a transaction was seen, because then nothing ends.
import type { Clock } from '../../kernel/index.ts';
import type {
  BroadcastOutcome,
  ChainAsset,
  Confirmation,
  EndpointReport,
  FeeEstimate,
  PrepareRefusal,
  Rail,
  Reading,
  SignedTransfer,
  TransferRequest,
} from '../rail.ts';
import { reasonOfError } from '../rpc-error.ts';
import { toChainUnits } from '../scale.ts';
import { FEE_ASSET } from './chain.ts';
import type { Endpoint, FoundTransaction, TransactionStatus } from './endpoint.ts';
import { callMeter } from './meter.ts';
import type { WalletKey } from './transaction.ts';
import { decodeSigned, encodeSigned, hasAddressForm, isSandboxAddress, transactionIdOf } from './transaction.ts';

export interface SandboxRailOptions {
  readonly chain: string;
  readonly endpoints: readonly [Endpoint, Endpoint];
  readonly key: WalletKey;
  readonly assets: readonly ChainAsset[];
}

const MEMO = /^[\x20-\x7e]{1,100}$/;

export function createSandboxRail({ chain, endpoints, key, assets }: SandboxRailOptions): Rail {
  const meter = callMeter();
  const asked = <T>(ask: (endpoint: Endpoint) => Promise<T>, endpoint: Endpoint): Promise<Reading<T>> =>
    ask(endpoint).then(
      (value) => (meter.record(true), { outcome: 'known', value }),
      (error: unknown) => (meter.record(false), { outcome: 'unknown', reason: reasonOfError(error) }),
    );
  const askBoth = async <T>(ask: (endpoint: Endpoint) => Promise<T>): Promise<readonly [Reading<T>, Reading<T>]> => [
    await asked(ask, endpoints[0]),
    await asked(ask, endpoints[1]),
  ];
  /** The first answer of either endpoint: for numbers that no payout ends by. */
  const askEither = async <T>(ask: (endpoint: Endpoint) => Promise<T>): Promise<Reading<T>> => {
    const first = await asked(ask, endpoints[0]);
    return first.outcome === 'known' ? first : asked(ask, endpoints[1]);
  };

  const estimate = (units: bigint): FeeEstimate => ({
    asset: FEE_ASSET.code,
    decimals: FEE_ASSET.decimals,
    units,
    suggestedLimitUnits: units * 3n,
  });

  const unitsOf = (request: TransferRequest): bigint | PrepareRefusal => {
    const asset = assets.find(({ code }) => code === request.asset.code);
    if (!asset) return 'asset_unknown';
    if (!isSandboxAddress(request.to)) return 'address_invalid';
    if (!MEMO.test(request.memo)) return 'memo_invalid';
    const units = toChainUnits(request.amount, request.asset.scale, asset.decimals);
    if (units === null) return 'amount_inexact';
    return units <= 0n || units < asset.minimumUnits ? 'amount_below_minimum' : units;
  };

  return {
    chain,
    assets,
    wallet: key.address,
    validateAddress: (address) =>
      isSandboxAddress(address)
        ? { valid: true, address }
        : {
            valid: false,
            reason: hasAddressForm(address)
              ? 'its checksum does not match, so a character is wrong'
              : `an address there is "sbx" and 40 hexadecimal digits in lower case, the last 8 of them a checksum`,
          },
    async getBalance(asset, clock) {
      const [a, b] = await askBoth((endpoint) => endpoint.balance(key.address, asset, clock));
      if (a.outcome === 'unknown') return a;
      if (b.outcome === 'unknown') return b;
      const agree = (['height', 'finalizedHeight', 'units', 'finalizedUnits'] as const).every(
        (name) => a.value[name] === b.value[name],
      );
      const { height, finalizedHeight, units, finalizedUnits } = a.value;
      return agree
        ? { outcome: 'known', value: { height, finalizedHeight, units, finalizedUnits } }
        : { outcome: 'unknown', reason: 'endpoints_disagree' };
    },
    async estimateFee(clock) {
      const tip = await askEither((endpoint) => endpoint.tip(clock));
      return tip.outcome === 'known' ? { outcome: 'known', value: estimate(tip.value.feeUnits) } : tip;
    },
    async prepare(request, clock) {
      const units = unitsOf(request);
      if (typeof units === 'string') return { outcome: 'refused', reason: units };
      // Both endpoints: a height far in the future would sign bytes that cannot be proven dead for as long.
      const [a, b] = await askBoth((endpoint) => endpoint.tip(clock));
      if (a.outcome === 'unknown') return a;
      if (b.outcome === 'unknown') return b;
      const height = a.value.height < b.value.height ? a.value.height : b.value.height;
      const lastValidHeight = height + BigInt(a.value.validityBlocks);
      const bytes = encodeSigned(
        {
          chain,
          recipient: request.to,
          asset: request.asset.code,
          units,
          feeLimit: request.feeLimitUnits,
          memo: request.memo,
          lastValidHeight,
        },
        key,
      );
      return { outcome: 'prepared', signed: { bytes, transactionId: transactionIdOf(bytes), lastValidHeight } };
    },
    async broadcast(signed, clock): Promise<BroadcastOutcome> {
      const invalid = whyInvalid(signed, chain);
      if (invalid !== null) return { outcome: 'refused', reason: invalid };
      // Valid bytes could land under their own id: nothing is sent, and nothing is proven.
      if (transactionIdOf(signed.bytes) !== signed.transactionId)
        return { outcome: 'unknown', reason: 'other_transaction_id' };
      let reason = 'rpc_error';
      for (const endpoint of endpoints) {
        const sent = await asked((one) => one.send(signed.bytes, clock), endpoint);
        if (sent.outcome === 'known' && sent.value === signed.transactionId) return { outcome: 'accepted' };
        reason = sent.outcome === 'known' ? 'endpoints_disagree' : sent.reason;
      }
      return { outcome: 'unknown', reason };
    },
    async checkConfirmation(signed, clock) {
      const [a, b] = await askBoth((endpoint) => endpoint.status(signed.transactionId, clock));
      return judge(a, b, signed.lastValidHeight);
    },
    async lookUp(transactionId, clock) {
      const answers = await askBoth((endpoint) => endpoint.transaction(transactionId, clock));
      return answers.map((one) => (one.outcome === 'known' ? { outcome: 'known', value: reportOf(one.value) } : one));
    },
    async getHealthMetrics(clock: Clock) {
      const [a, b] = await askBoth((endpoint) => endpoint.tip(clock));
      const tip = a.outcome === 'known' ? a : b;
      if (tip.outcome === 'unknown') return tip;
      meter.took(tip.value.latencyMs);
      return {
        outcome: 'known',
        value: {
          avgConfirmationSeconds: tip.value.confirmationSeconds,
          congestionScore: tip.value.congestion,
          fee: estimate(tip.value.feeUnits),
          ...meter.read(),
        },
      };
    },
  };
}

/**
 * Judged from the bytes, not from an endpoint's word: an endpoint may refuse bytes that it has forwarded. Whose signature it is says nothing: what the key of
 * before has signed lands all the same.
 */
function whyInvalid(signed: SignedTransfer, chain: string): string | null {
  const transfer = decodeSigned(signed.bytes);
  if (transfer === null) return 'the bytes are not a signed transaction';
  return transfer.chain === chain ? null : `the transaction is for the chain ${transfer.chain}`;
}

function judge(a: Reading<TransactionStatus>, b: Reading<TransactionStatus>, lastValidHeight: bigint): Confirmation {
  const answers = [a, b].flatMap((one) => (one.outcome === 'known' ? [one.value] : []));
  const [first, second] = answers;
  if (first && second) {
    const ended = finalReceipt(first, second);
    if (ended) return ended;
    const isPast = (one: TransactionStatus): boolean => one.found === null && one.finalizedHeight > lastValidHeight;
    if (isPast(first) && isPast(second)) return { state: 'dead' };
  }
  if (answers.some(({ found }) => found?.in === 'block')) return { state: 'pending', seen: 'block' };
  if (answers.some(({ found }) => found?.in === 'pool')) return { state: 'pending', seen: 'pool' };
  const failed = [a, b].find((one) => one.outcome === 'unknown');
  return { state: 'unknown', reason: failed?.reason ?? 'not_found' };
}

function reportOf({ finalizedHeight, moves, found }: FoundTransaction): EndpointReport {
  if (!moves || !found) return { finalizedHeight, transfer: null };
  const { sender: from, recipient: to, asset, units, memo } = moves;
  const receipt = found.in === 'block' ? found.receipt : null;
  const block = receipt && {
    height: receipt.height,
    isFinal: receipt.height <= finalizedHeight,
    succeeded: receipt.succeeded,
    feeUnits: receipt.fee,
  };
  return { finalizedHeight, transfer: { from, to, asset, units, memo, block } };
}

/** The end of the transaction, if both endpoints have the same receipt in a block that both call final. */
function finalReceipt(a: TransactionStatus, b: TransactionStatus): Confirmation | null {
  if (a.found?.in !== 'block' || b.found?.in !== 'block') return null;
  const [one, other] = [a.found.receipt, b.found.receipt];
  const agree = one.height === other.height && one.fee === other.fee && one.succeeded === other.succeeded;
  if (!agree || one.height > a.finalizedHeight || other.height > b.finalizedHeight) return null;
  return { state: one.succeeded ? 'finalized' : 'reverted', height: one.height, feeUnits: one.fee };
}

// Opens the simulated chain on connections that only it uses. It takes an address and not a database or a transaction: a chain that
// commits with the engine would hide every fault that it is there to show.
import { createPool } from '../../db/index.ts';
import { SetupError } from '../../kernel/index.ts';
import type { ChainAsset, Rail } from '../rail.ts';
import type { Chain } from './chain.ts';
import { FEE_ASSET, createChain } from './chain.ts';
import { createEndpoint } from './endpoint.ts';
import { createSandboxRail } from './rail.ts';
import { walletKey } from './transaction.ts';

export interface SandboxOptions {
  /** The database of the chain's tables. */
  readonly url: string;
  readonly schema?: string;
  /** A production process refuses the sandbox: it would settle payouts that no payee receives. */
  readonly production: boolean;
  /** Default `sandbox`. */
  readonly name?: string;
  /** Faults, fees and the wallet's key are computed from it. Default `sandbox`. */
  readonly seed?: string;
  /** Default 1,000. */
  readonly blockMs?: number;
  /** Blocks after which a block is final. Default 5. */
  readonly finalityBlocks?: number;
  /** Blocks during which a signed transaction can land. Default 60. */
  readonly validityBlocks?: number;
  /** Default USDC with 6 decimals. */
  readonly assets?: readonly ChainAsset[];
  /** Connections at most. Default 2. */
  readonly maxConnections?: number;
}

export interface Sandbox extends Chain {
  readonly rail: Rail;
  /** The rail that signs for one owner: each has a wallet of its own. */
  railOf(owner: string): Rail;
  close(): Promise<void>;
}

const USDC: ChainAsset = { code: 'USDC', decimals: 6, minimumUnits: 1n };

export function openSandbox(options: SandboxOptions): Sandbox {
  if (options.production) {
    throw new SetupError('the chain "sandbox" is simulated and is not available with NODE_ENV=production: remove it');
  }
  const { name = 'sandbox', seed = 'sandbox', assets = [USDC] } = options;
  if (assets.some(({ code }) => code === FEE_ASSET.code)) {
    throw new SetupError(`${FEE_ASSET.code} pays the fees of the chain "${name}" and cannot be an asset of payouts`);
  }
  const db = createPool({
    url: options.url,
    name: 'usance-sandbox',
    maxConnections: options.maxConnections ?? 2,
    ...(options.schema === undefined ? {} : { schema: options.schema }),
  });
  const chain = createChain(db, {
    name,
    seed,
    blockMs: options.blockMs ?? 1000,
    finalityBlocks: options.finalityBlocks ?? 5,
    validityBlocks: options.validityBlocks ?? 60,
  });
  const endpoints = [createEndpoint(chain, 0), createEndpoint(chain, 1)] as const;
  const signing = (secret: string): Rail =>
    createSandboxRail({ chain: name, endpoints, key: walletKey(secret), assets });
  const rails = new Map<string, Rail>();
  return {
    ...chain,
    rail: signing(`${seed}\n${name}`),
    railOf(owner) {
      const known = rails.get(owner) ?? signing(`${seed}\n${name}\n${owner}`);
      rails.set(owner, known);
      return known;
    },
    close: () => db.close(),
  };
}

// Addresses and signed transactions of the simulated chain: Ed25519, as on a real chain, so that changed bytes are found. Signing is
// deterministic: the same request on the same block gives the same bytes and the same id.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** The text that is signed, field by field. */
export interface SandboxTransfer {
  readonly chain: string;
  readonly recipient: string;
  readonly asset: string;
  readonly units: bigint;
  readonly feeLimit: bigint;
  readonly memo: string;
  readonly lastValidHeight: bigint;
}

export interface DecodedTransfer extends SandboxTransfer {
  readonly sender: string;
}

export interface WalletKey {
  readonly privateKey: KeyObject;
  readonly publicKey: Buffer;
  readonly address: string;
}

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;

/** The key of a wallet, computed from a text. The sandbox has no secrets: its money is not real. */
export function walletKey(secret: string): WalletKey {
  const seed = createHash('sha256').update(`sandbox wallet\n${secret}`).digest();
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  return { privateKey, publicKey, address: addressOf(publicKey) };
}

const sha256 = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex');
const checksum = (body: string): string => sha256(`sandbox address\n${body}`).slice(0, 8);

function addressOf(publicKey: Uint8Array): string {
  const body = sha256(publicKey).slice(0, 32);
  return `sbx${body}${checksum(body)}`;
}

const ADDRESS = /^sbx([0-9a-f]{32})([0-9a-f]{8})$/;

/** Whether it could be an address, but for its checksum. */
export const hasAddressForm = (address: string): boolean => ADDRESS.test(address);

export function isSandboxAddress(address: string): boolean {
  const [, body = '', check] = ADDRESS.exec(address) ?? [];
  return check !== undefined && checksum(body) === check;
}

/** Signature, public key, then the fields as JSON. */
export function encodeSigned(transfer: SandboxTransfer, key: WalletKey): Uint8Array {
  const { chain, recipient, asset, units, feeLimit, memo, lastValidHeight } = transfer;
  const fields = [chain, recipient, asset, String(units), String(feeLimit), memo, String(lastValidHeight)];
  const body = Buffer.from(JSON.stringify(fields), 'utf8');
  return Buffer.concat([sign(null, body, key.privateKey), key.publicKey, body]);
}

/** The transaction in the bytes; null if they are not a signed transaction. */
export function decodeSigned(bytes: Uint8Array): DecodedTransfer | null {
  if (bytes.length <= SIGNATURE_BYTES + KEY_BYTES) return null;
  const publicKey = bytes.subarray(SIGNATURE_BYTES, SIGNATURE_BYTES + KEY_BYTES);
  const body = bytes.subarray(SIGNATURE_BYTES + KEY_BYTES);
  try {
    const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
    if (!verify(null, body, key, bytes.subarray(0, SIGNATURE_BYTES))) return null;
    const [chain = '', recipient = '', asset = '', units = '', feeLimit = '', memo = '', lastValid = ''] = JSON.parse(
      Buffer.from(body).toString('utf8'),
    ) as string[];
    return {
      sender: addressOf(publicKey),
      chain,
      recipient,
      asset,
      units: BigInt(units),
      feeLimit: BigInt(feeLimit),
      memo,
      lastValidHeight: BigInt(lastValid),
    };
  } catch {
    return null;
  }
}

export const transactionIdOf = (bytes: Uint8Array): string => sha256(bytes);

import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Asset as LedgerAsset } from '../../kernel/index.ts';
import { route } from '../route.ts';
import { wholeList } from '../cursor.ts';
import { closed, listOf } from '../schemas.ts';
import { refusedAs } from '../validate.ts';

const Asset = closed(
  {
    asset: Type.String({ description: 'Code and scale.', examples: ['USD/2'] }),
    code: Type.String(),
    scale: Type.Integer({ description: 'Decimals of the minor unit: 2 for cents.' }),
    default: Type.Boolean({ description: 'Whether this is the default asset: requests that name no asset use it.' }),
  },
  { title: 'Asset' },
);

const AssetOrder = closed(
  {
    asset: Type.String({
      description: 'Code and scale: `USD/2`, `USDC/6`, `ROBUX/0`.',
      pattern: '^[A-Z][A-Z0-9]{1,15}/[0-9]$',
      examples: ['USD/2'],
      ...refusedAs('ASSET_INVALID'),
    }),
    default: Type.Optional(
      Type.Boolean({ description: 'Make this the default asset, which requests that name none use.' }),
    ),
  },
  { title: 'AssetCreateParams' },
);

const show = (asset: LedgerAsset, byDefault: string | null): Static<typeof Asset> => ({
  asset: asset.name,
  code: asset.code,
  scale: asset.scale,
  default: asset.name === byDefault,
});

const EXAMPLE = { asset: 'USD/2', code: 'USD', scale: 2, default: true };

export const assetRoutes = {
  'assets.create': route({
    method: 'POST',
    path: '/assets',
    summary: 'Create an asset',
    description: 'Creating the same asset again changes nothing; the same code with another scale is refused.',
    scope: 'ledger:write',
    status: 201,
    body: AssetOrder,
    answer: Asset,
    example: { body: { asset: 'USD/2', default: true }, answer: EXAMPLE },
    async handle({ tenant, body }) {
      const asset = await tenant.createAsset(body.asset);
      if (body.default) await tenant.setDefaultAsset(asset.name);
      return show(asset, await tenant.defaultAsset());
    },
  }),

  'assets.list': route({
    method: 'GET',
    path: '/assets',
    summary: 'List assets',
    scope: 'ledger:read',
    own: true,
    answer: listOf(Asset, 'AssetList'),
    example: { answer: { data: [EXAMPLE], next_cursor: null } },
    async handle({ tenant }) {
      const byDefault = await tenant.defaultAsset();
      return wholeList(tenant.assets(), (asset) => show(asset, byDefault));
    },
  }),
};

// Addresses of pages, as the router reads them.
import { expect, test } from 'vitest';
import { matchPath } from '../../web/src/app/match-path.ts';

test('a path has the parameters of its pattern, decoded', () => {
  expect(matchPath('/payments/:id', '/payments/pay_1')).toEqual({ id: 'pay_1' });
  expect(matchPath('/accounts/:id', '/accounts/a%20b')).toEqual({ id: 'a b' });
  expect(matchPath('/payments/:id', '/payments')).toBeNull();
  expect(matchPath('/payments/:id', '/payments/')).toBeNull();
});

test('a path that encodes nothing fits no pattern', () => {
  expect(matchPath('/payments/:id', '/payments/%zz')).toBeNull();
});

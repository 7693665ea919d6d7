// The parser of an option that takes a count, such as --limit.
import { InvalidArgumentError } from 'commander';

export const numberUpTo =
  (most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${most}.`);
  };

// Sentences that several codes share.
export const ONE_OF = '{param} must be {allowed:list}';
export const WHOLE_NUMBER = '{param} must be a whole number from {min} to {max}';

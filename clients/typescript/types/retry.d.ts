export function delayAfter(failures: number, first?: number, most?: number): number;
export function spread(delay: number): number;

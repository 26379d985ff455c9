// The types of uplot.js, as far as the pages use it.

export default class uPlot {
  static paths: any;
  static tzDate(date: Date, zone: string): Date;
  constructor(options: object, data: number[][], container: Element);
  setSize(size: { width: number; height: number }): void;
  destroy(): void;
}

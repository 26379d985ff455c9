// The types of htm-preact.js, as far as the pages use it. The text of a template is not checked.

export abstract class Component {
  props: any;
  abstract render(props: any): any;
}
export function createContext(value: any): any;
/** A value of a template. The parameters of a function in a template need no types. */
type Value = ((...values: any[]) => any) | object | string | number | boolean | null | undefined;
export function html(strings: TemplateStringsArray, ...values: Value[]): any;
export function render(element: any, parent: Element): void;
export function useContext(context: any): any;
export function useEffect(effect: () => void | (() => void), inputs?: any[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: any[]): void;
export function useMemo<T>(make: () => T, inputs: any[]): T;
export function useRef(value: null): { current: any };
export function useRef<T>(value: T): { current: T };
export function useState(value: null): [any, (next: ((before: any) => any) | object | string | number | boolean | null) => void];
export function useState<T>(value: T | (() => T)): [T, (next: T | ((before: T) => T)) => void];

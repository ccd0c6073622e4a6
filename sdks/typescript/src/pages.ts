import { remember } from "./amounts.js";
import type { Reply } from "./http.js";

export interface Page<T> {
  data: T[];
  /** How many match in all; null where the service does not count. */
  total: number | null;
}

/** How a list goes on after a page. */
export interface Cursor {
  /** The name of the parameter: `offset`, `page`, or that of an id. */
  by: "offset" | "page" | "after" | "before";
  rows?: (body: unknown) => unknown[];
}

type Query = Record<string, unknown>;
const LARGEST_PAGE = 100;

/**
 * A list of the service. `for await` reads page after page; `page()` reads one, with the total.
 *
 * The newest come first. What is created during the walk shifts the pages: no element comes twice.
 */
export class List<T> implements AsyncIterable<T> {
  constructor(
    private readonly read: (query: Query) => Promise<Reply>,
    private readonly query: Query,
    private readonly cursor: Cursor,
  ) {}

  /** One page: with `limit` and `offset` as given, or the service's defaults. */
  async page(): Promise<Page<T>> {
    return this.#page(this.query);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const { by } = this.cursor;
    const size = by === "page" ? undefined : Number(this.query.limit ?? LARGEST_PAGE);
    const query: Query = size ? { ...this.query, limit: size } : { ...this.query };
    const seen = new Set<unknown>();
    for (;;) {
      const { data } = await this.#page(query);
      for (const row of data) {
        const id = idOf(row);
        if (id !== undefined && seen.has(id)) continue;
        seen.add(id);
        yield row;
      }
      const last = data.at(-1);
      if (last === undefined || (size && data.length < size)) return;
      if (by === "offset") query.offset = Number(query.offset ?? 0) + data.length;
      else if (by === "page") query.page = Number(query.page ?? 1) + 1;
      else {
        delete query.offset;
        query[by] = idOf(last);
      }
    }
  }

  async #page(query: Query): Promise<Page<T>> {
    const reply = await this.read(query);
    const rows = this.cursor.rows ?? ((body: unknown) => (body as { data: unknown[] }).data);
    const data = rows(reply.body) as T[];
    data.forEach((row, index) => remember(row, { ...reply, pick: (body) => rows(body)[index] }));
    const total = reply.info.headers.get("X-Total-Count");
    return { data, total: total === null ? null : Number(total) };
  }
}

function idOf(row: unknown): unknown {
  const { id, payoutId, batchId, number, agreementId } = row as Record<string, unknown>;
  return id ?? payoutId ?? batchId ?? number ?? agreementId;
}

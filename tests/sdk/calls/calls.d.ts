import type Medusa from "@medusajs/js-sdk"

type Admin = InstanceType<typeof Medusa>["admin"]
export type Name = { [R in keyof Admin]: `${R}.${keyof Admin[R] & string}` }[keyof Admin]
type Method<N> = N extends `${infer R extends keyof Admin}.${infer M}`
  ? M extends keyof Admin[R] ? Extract<Admin[R][M], (...sent: any) => any> : never
  : never

/** What the methods returned that were called before. */
export type Answers = { [N in Name]: Awaited<ReturnType<Method<N>>> }
/** Ids of rows that the shop has. */
export type Rows = Record<string, string>
/** The arguments of each method, which are called in this order. */
export type Calls = { [N in Name]?: (rows: Rows, answers: Answers) => Parameters<Method<N>> }

// What the SDK's own types say of its admin methods, once they have nothing against the arguments in `calls`.
import ts from "typescript"

const HERE = new URL(".", import.meta.url).pathname
const ENTRY = `${HERE}node_modules/@medusajs/js-sdk/dist/esm/index.d.ts`
const OPTIONS = {
  allowJs: true, checkJs: true, noEmit: true, skipLibCheck: true, types: [],
  module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, target: ts.ScriptTarget.ES2022,
}

/** By `resource.method`: which parameters are strings, and the required keys of the answer and of its rows. */
export function methods(names) {
  const files = names.map((name) => `${HERE}calls/${name}.mjs`)
  const program = ts.createProgram([ENTRY, ...files], OPTIONS)
  const problems = files.flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)))
  if (problems.length) throw new Error(described(problems))
  const checker = program.getTypeChecker()
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(ENTRY)))
  const sdk = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(exported.find(({ name }) => name === "default")))
  const admin = checker.getTypeOfSymbol(sdk.getProperty("admin"))
  const found = publicMembers(admin).flatMap((resource) =>
    publicMembers(checker.getTypeOfSymbol(resource)).map((method) =>
      [`${resource.name}.${method.name}`, signature(checker, checker.getTypeOfSymbol(method))]))
  return Object.fromEntries(found)
}

function described(problems) {
  const host = { getCanonicalFileName: String, getCurrentDirectory: () => HERE, getNewLine: () => "\n" }
  return ts.formatDiagnostics(problems, host)
}

function publicMembers(type) {
  const isPrivate = (each) => ts.getCombinedModifierFlags(each) & ts.ModifierFlags.Private
  return type.getProperties().filter((symbol) => !symbol.declarations.some(isPrivate))
}

function signature(checker, type) {
  const [{ parameters }, answer] = [type.getCallSignatures()[0], checker.getAwaitedType(type.getCallSignatures()[0].getReturnType())]
  const isString = (each) => Boolean(checker.getTypeOfSymbol(each).flags & ts.TypeFlags.String)
  return { strings: parameters.map(isString), keys: requiredKeys(checker, answer, 1) }
}

function requiredKeys(checker, type, depth) {
  if (checker.isArrayType(type)) return requiredKeys(checker, checker.getTypeArguments(type)[0], depth)
  const isObject = ({ flags, symbol }) =>
    flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection) && symbol?.name !== "Date"
  if (!(type.isUnion() ? type.types.every(isObject) : isObject(type))) return {}
  const required = checker.getPropertiesOfType(type).filter(({ flags }) => !(flags & ts.SymbolFlags.Optional))
  const below = (each) => (depth ? requiredKeys(checker, checker.getTypeOfSymbol(each), depth - 1) : {})
  return Object.fromEntries(required.map((each) => [each.name, below(each)]))
}

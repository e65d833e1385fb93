import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** Counts over the tracked TypeScript files of the repository; `docs/glossary.md` gives the rules behind them. */
export type LanguageCounts = {
  comments: number
  /** Comments that begin without a subject, as `file: text`. */
  fragments: string[]
  /** Comments with words that no engineer writes. */
  archaicComments: string[]
  /** Functions of product code over 120 lines, as `file:line length`. */
  longFunctions: string[]
  /** Functions of product code over 200 lines. */
  hugeFunctions: string[]
  /** Object spreads that only pack properties: `...{ a, b }`. */
  packingSpreads: string[]
}

const fragmentStart =
  /^(Of|What|Who|Whom|Whose|Whether|Where|Which|How|Nobody|Nothing|None|Those|That|So that|As|By|For|With|Without|Until|Before|After|Whoever|Whatever|Anew|And|Or|But|Else|Not|Only|Also|Then|Than|To|From|In|On|At)\b/
const sentenceVerb =
  /^(To|In|On|At|For|From|After|Before|Until|With|Without|By|As|Only|Not|Also|Then|And|But|That|Those|None|Nothing|Nobody|Whatever|Where|How)\b[^.]*,? \b(is|are|was|were|has|have|does|do|must|may|can|should|will|would|keeps?|gives?|takes?|stands?|comes?|goes|needs?|makes?|says?|answers?|shows?|asks?|runs?|waits?|ends?|starts?|stays?|sends?|returns?)\b/
const archaicWord =
  /\b(nobody|whoever|whatever|anew|whom|thereby|hence|one's|oneself|lest|behold|upon|thus|wherever|forth|by itself)\b/i
const directive = /eslint|oxlint|ts-expect|@jest|webpack[A-Z]|^#region|^\/ </
const testFile = /\.(test|spec)\.tsx?$|(^|\/)(e2e|testing|fuzz)\//

export function countLanguage(root: string): LanguageCounts {
  const counts: LanguageCounts = {
    comments: 0,
    fragments: [],
    archaicComments: [],
    longFunctions: [],
    hugeFunctions: [],
    packingSpreads: [],
  }
  for (const file of listSources(root)) countFile(root, file, counts)
  return counts
}

const listSources = (root: string) =>
  execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => !/\.d\.ts$|(^|\/)(data|migrations|dist)\//.test(file))

function countFile(root: string, file: string, counts: LanguageCounts) {
  const text = readFileSync(join(root, file), 'utf8')
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind)
  for (const comment of listComments(source)) {
    if (!/[a-zA-Z]{3}/.test(comment) || directive.test(comment)) continue
    counts.comments++
    if (fragmentStart.test(comment) && !comment.endsWith('?') && !sentenceVerb.test(comment))
      counts.fragments.push(`${file}: ${comment.slice(0, 80)}`)
    if (archaicWord.test(comment)) counts.archaicComments.push(`${file}: ${comment.slice(0, 80)}`)
  }
  const visit = (node: ts.Node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    if (ts.isFunctionLike(node) && 'body' in node && node.body && !testFile.test(file)) {
      const length = source.getLineAndCharacterOfPosition(node.end).line + 2 - line
      if (length > 120) counts.longFunctions.push(`${file}:${line} ${length}`)
      if (length > 200) counts.hugeFunctions.push(`${file}:${line} ${length}`)
    }
    if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression))
      counts.packingSpreads.push(`${file}:${line}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
}

/** Returns the text of each comment; consecutive `//` lines are one comment. */
function listComments(source: ts.SourceFile): string[] {
  const ranges = new Map<number, ts.CommentRange>()
  const collect = (node: ts.Node) => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? []),
    ])
      ranges.set(range.pos, range)
    node.getChildren(source).forEach(collect)
  }
  collect(source)
  const blocks: { text: string; end: number; isLine: boolean }[] = []
  for (const { pos, end } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const text = source.text.slice(pos, end)
    const isLine = text.startsWith('//')
    const previous = blocks.at(-1)
    const isContinued =
      isLine && previous?.isLine && /^[ \t]*\n?[ \t]*$/.test(source.text.slice(previous.end, pos))
    if (isContinued) Object.assign(previous!, { text: `${previous!.text}\n${text}`, end })
    else blocks.push({ text, end, isLine })
  }
  return blocks.map(({ text }) =>
    text
      .replace(/^\/\*\*?|\*\/$/g, '')
      .split('\n')
      .map((line) => line.replace(/^\s*(\/\/+|\*)?\s?/, ''))
      .join(' ')
      .replace(/@(example|param|returns|see|throws)[\s\S]*/, '')
      .trim(),
  )
}

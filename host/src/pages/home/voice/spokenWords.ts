/** Words that mean the same in a sentence, as parts of regular expressions over normalised words. */
export const onPattern = '(?:打开|开启|点亮|开)'
export const offPattern = '(?:关闭|关掉|关上|熄灭|灭掉|熄|关)'
/** Words behind a place that stays as it is; `verb` is what must not be done there. */
export const keepPattern =
  '(?:留着|留下|留1下|保留|不变|除外|(?:别|不|不要)动|(?:别|不要|不用|不)(?<verb>[关开调]))'
/** Words for everything that was not named. */
export const othersPattern = '(?:其他|其它|其余|别的|剩下的?)'
export const outsidePattern = '(?:以外|之外)'

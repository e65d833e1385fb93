/**
 * Formats that a workbook names by number alone (ECMA-376 part 1, 18.8.30), with those of Chinese spreadsheets: what a person
 * typed as 1-2 becomes one of these. A format of its own stands with its code in the style sheet.
 */
const builtinFormats: Record<number, string> = {
  ...{ 1: '0', 2: '0.00', 3: '#,##0', 4: '#,##0.00' },
  ...{ 5: '¥#,##0', 6: '¥#,##0', 7: '¥#,##0.00', 8: '¥#,##0.00' },
  ...{ 9: '0%', 10: '0.00%', 11: '0.00E+00', 12: '# ?/?', 13: '# ??/??' },
  ...{ 14: 'yyyy/m/d', 15: 'd-mmm-yy', 16: 'd-mmm', 17: 'mmm-yy', 22: 'yyyy/m/d h:mm' },
  ...{ 18: 'h:mm AM/PM', 19: 'h:mm:ss AM/PM', 20: 'h:mm', 21: 'h:mm:ss' },
  ...{ 27: 'yyyy"年"m"月"', 28: 'm"月"d"日"', 29: 'm"月"d"日"', 30: 'm/d/yy' },
  ...{ 31: 'yyyy"年"m"月"d"日"', 32: 'h"时"mm"分"', 33: 'h"时"mm"分"ss"秒"' },
  ...{ 34: 'h"时"mm"分"', 35: 'h"时"mm"分"ss"秒"', 36: 'yyyy"年"m"月"' },
  ...{ 37: '#,##0', 38: '#,##0', 39: '#,##0.00', 40: '#,##0.00' },
  ...{ 41: '#,##0', 42: '¥#,##0', 43: '#,##0.00', 44: '¥#,##0.00' },
  ...{ 45: 'mm:ss', 46: '[h]:mm:ss', 47: 'mm:ss.0', 48: '##0.0E+0', 49: '@' },
  ...{ 50: 'yyyy"年"m"月"', 51: 'm"月"d"日"', 52: 'yyyy"年"m"月"', 53: 'm"月"d"日"' },
  ...{ 54: 'm"月"d"日"', 55: 'h"时"mm"分"', 56: 'h"时"mm"分"ss"秒"' },
  ...{ 57: 'yyyy"年"m"月"', 58: 'm"月"d"日"' },
}
export const builtinFormat = (id: number) => builtinFormats[id] ?? 'General'

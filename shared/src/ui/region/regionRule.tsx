import type { FormItemProps } from 'antd'

/** All three levels are required; an abolished code may stay until the operator decides, an unknown one may not. */
export const regionRule: NonNullable<FormItemProps['rules']>[number] = {
  required: true,
  async validator(_, code?: string) {
    if (!code) throw new Error('请选择省、市、区')
    if (!/^\d{6}$/.test(code)) throw new Error('请选择到区县')
    const [{ lookup }, { abolished }] = await Promise.all([
      import('region-data'),
      import('region-data/old-codes'),
    ])
    if (!lookup(code, 'area') && !abolished(code))
      throw new Error(`没有代码为 ${code} 的区县，请重新选择`)
  },
}

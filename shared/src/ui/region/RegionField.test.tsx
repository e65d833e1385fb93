import '@testing-library/jest-dom'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { clearCache } from 'ahooks/es/useRequest'
import Form from 'antd/es/form'
import Input from 'antd/es/input'
import { useState } from 'react'
import { ManufacturerDraft } from '../../contract/product/manufacturer.schema'
import { AddressField } from './AddressField'
import { AddressItems } from './AddressItems'
import { RegionField } from './RegionField'
import type { RegionPickerProps } from './RegionPicker'

beforeEach(() => {
  localStorage.clear()
  // Each test starts with a picker that has loaded nothing.
  clearCache()
})

type Values = { areaCode?: string }

/** Renders the field in a form and waits until it has loaded. */
async function renderField(initial: Values, props: RegionPickerProps = {}) {
  const onSave = jest.fn<void, [Values]>()
  let form: ReturnType<typeof Form.useForm<Values>>[0] | undefined
  function Page() {
    ;[form] = Form.useForm<Values>()
    return (
      <Form form={form} initialValues={initial} onFinish={onSave}>
        <Form.Item name="areaCode" label="省市区">
          <RegionField {...props} />
        </Form.Item>
      </Form>
    )
  }
  render(<Page />)
  const box = await waitFor(() => {
    const combobox = screen.getByRole('combobox')
    if (!props.disabled) expect(combobox).toBeEnabled()
    return combobox
  })
  return {
    box,
    saved: onSave,
    code: () => form!.getFieldValue('areaCode') as string | undefined,
    save: () => act(async () => form!.submit()),
  }
}

/** Asserts that the text is visible; it may occur a second time for screen readers. */
const expectVisible = async (text: string) =>
  expect(await screen.findAllByText(text)).not.toEqual([])

// antd's list reads keyCode, which user-event omits.
const pressEnter = (box: HTMLElement) => fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })

const paste = (box: HTMLElement, text: string) =>
  fireEvent.paste(box, { clipboardData: { getData: () => text } })

describe('RegionField', () => {
  it('is filled in column by column with the keyboard only', async () => {
    const { box, code } = await renderField({})
    await userEvent.click(box)
    const columns = await screen.findAllByRole('listbox')
    expect(columns.map((column) => column.getAttribute('aria-label'))).toEqual(['省', '市', '区县'])
    await userEvent.keyboard(
      '{Home}{ArrowDown}{ArrowDown}{ArrowRight}{ArrowDown}{Enter}{ArrowDown}{Enter}',
    )
    expect(code()).toBe('130102')
    await expectVisible('河北省 / 石家庄市 / 长安区')
  })

  it('selects a single city and a single area automatically', async () => {
    const { box, code } = await renderField({})
    await userEvent.click(box)
    await userEvent.click(await screen.findByRole('option', { name: '北京市' }))
    expect(
      within(screen.getByRole('listbox', { name: '区县' })).getByText('东城区'),
    ).toBeInTheDocument()
    await userEvent.click(screen.getByRole('option', { name: '广东省' }))
    await userEvent.click(screen.getByRole('option', { name: '东莞市' }))
    expect(code()).toBe('441900')
  })

  it('is filled in by initials and remembers the choice', async () => {
    const { box, code } = await renderField({})
    await userEvent.type(box, 'szns')
    await expectVisible('广东省 / 深圳市 / 南山区')
    pressEnter(box)
    expect(code()).toBe('440305')
    await userEvent.click(box)
    expect(await screen.findByRole('group', { name: '最近选择' })).toHaveTextContent(
      '深圳市 南山区',
    )
    await userEvent.keyboard('{Escape}{Delete}')
    expect(code()).toBeUndefined()
    await userEvent.click(box)
    fireEvent.keyDown(box, { key: '1', code: 'Digit1', altKey: true })
    expect(code()).toBe('440305')
  })

  it('accepts Enter before the results have arrived', async () => {
    const { box, code } = await renderField({})
    // Both events run in one task, so that nothing can load between them.
    fireEvent.change(box, { target: { value: 'szns' } })
    pressEnter(box)
    await waitFor(() => expect(code()).toBe('440305'))
  })

  it('accepts Enter between the arrival of the data and the first render', async () => {
    const { box, code } = await renderField({})
    fireEvent.change(box, { target: { value: 'szns' } })
    // Promises resolve, but nothing renders before the key is pressed.
    await act(async () => {
      await import('region-data/search')
      for (let turn = 0; turn < 20; turn++) await Promise.resolve()
      pressEnter(box)
    })
    await waitFor(() => expect(code()).toBe('440305'))
  })

  it('takes the first result, or the one highlighted by arrow keys', async () => {
    const { box, code } = await renderField({})
    await userEvent.type(box, '鼓楼区')
    await expectVisible('福建省 / 福州市 / 鼓楼区')
    const resultTitles = screen.getAllByTitle(/鼓楼区$/).map(({ title }) => title)
    pressEnter(box)
    await expectVisible(resultTitles[0]!)
    const firstCode = code()
    await userEvent.type(box, '鼓楼区')
    await expectVisible('福建省 / 福州市 / 鼓楼区')
    fireEvent.keyDown(box, { key: 'ArrowDown', keyCode: 40 })
    fireEvent.keyDown(box, { key: 'ArrowDown', keyCode: 40 })
    await act(async () => {})
    pressEnter(box)
    await expectVisible(resultTitles[2]!)
    expect(code()).not.toBe(firstCode)
  })

  it('takes nothing for an Enter followed by more typing', async () => {
    const { box, code } = await renderField({})
    fireEvent.change(box, { target: { value: 'szns' } })
    pressEnter(box)
    fireEvent.change(box, { target: { value: 'szft' } })
    await expectVisible('广东省 / 深圳市 / 福田区')
    expect(code()).toBeUndefined()
  })

  it('shows duplicate names with their full paths', async () => {
    const { box } = await renderField({})
    await userEvent.type(box, '鼓楼区')
    for (const path of ['江苏省 / 南京市', '江苏省 / 徐州市', '福建省 / 福州市', '河南省 / 开封市'])
      await expectVisible(`${path} / 鼓楼区`)
  })

  it('reads a pasted address and passes the rest on', async () => {
    const onAddress = jest.fn()
    const { box, code } = await renderField({}, { onAddress })
    paste(box, '张三 13800138000 广东省深圳市南山区科技园南路1号')
    await waitFor(() => expect(code()).toBe('440305'))
    expect(onAddress).toHaveBeenCalledWith(
      { address: '科技园南路1号', person: '张三', phone: '13800138000' },
      '440305',
    )
  })

  it('asks when a pasted address has several possible areas', async () => {
    const onAddress = jest.fn()
    const { box, code } = await renderField({}, { onAddress })
    paste(box, '朝阳区建国路88号')
    const [option] = await screen.findAllByTitle('北京市 / 朝阳区')
    expect(code()).toBeUndefined()
    await userEvent.click(option!)
    expect(code()).toBe('110105')
    expect(onAddress).toHaveBeenCalledWith({ address: '建国路88号' }, '110105')
  })

  it('offers the single successor of an abolished code without applying it', async () => {
    const { code, save, saved: onSave } = await renderField({ areaCode: '330103' })
    await expectVisible('浙江省 / 杭州市 / 下城区（已撤并）')
    await save()
    await waitFor(() => expect(onSave).toHaveBeenCalledWith({ areaCode: '330103' }))
    await userEvent.click(screen.getByRole('button', { name: '改为拱墅区' }))
    expect(code()).toBe('330105')
    expect(screen.queryByRole('status')).not.toBeInTheDocument()
  })

  it('asks which of several successors applies', async () => {
    const { code } = await renderField({ areaCode: '330104' })
    expect(await screen.findByRole('status')).toHaveTextContent('江干区已撤并，现分属多地')
    await userEvent.click(screen.getByRole('button', { name: '改为钱塘区' }))
    expect(code()).toBe('330114')
  })

  it('shows an unknown code unchanged', async () => {
    await renderField({ areaCode: '999999' })
    await expectVisible('未知代码 999999')
  })

  it('can be disabled', async () => {
    const { box, code } = await renderField({ areaCode: '440305' }, { disabled: true })
    await expectVisible('广东省 / 深圳市 / 南山区')
    expect(box).toBeDisabled()
    paste(box, '北京市海淀区中关村大街27号')
    expect(code()).toBe('440305')
  })

  it('can be cleared with the mouse and with the keyboard', async () => {
    const { box, code } = await renderField({ areaCode: '440305' })
    await expectVisible('广东省 / 深圳市 / 南山区')
    await userEvent.click(document.querySelector('.ant-select-clear')!)
    expect(code()).toBeUndefined()
    await userEvent.type(box, '440306')
    await expectVisible('广东省 / 深圳市 / 宝安区')
    pressEnter(box)
    expect(code()).toBe('440306')
    await userEvent.keyboard('{Delete}')
    expect(code()).toBeUndefined()
  })
})

describe('AddressField', () => {
  const renderAddressField = (region: string, initial = '') => {
    const [onChange, onTake] = [jest.fn(), jest.fn()]
    const Page = () => {
      const [value, setValue] = useState(initial)
      onChange.mockImplementation(setValue)
      return <AddressField {...{ value, region, onChange, onTake }} />
    }
    render(<Page />)
    return { box: screen.getByRole<HTMLInputElement>('textbox'), onChange, onTake }
  }
  const fullAddress = '李四 13912345678 北京市海淀区中关村大街27号'
  const expectedParts = {
    code: '110108',
    address: '中关村大街27号',
    person: '李四',
    phone: '13912345678',
  }

  it('takes nothing of an address in another region until the offer is accepted', async () => {
    const { box, onChange, onTake } = renderAddressField('440305')
    paste(box, fullAddress)
    expect(await screen.findByText('粘贴的地址在 北京市 / 海淀区')).toBeInTheDocument()
    expect(onChange).not.toHaveBeenCalled()
    expect(onTake).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: '改为此地区' }))
    expect(onTake).toHaveBeenCalledWith(expectedParts, '')
    await userEvent.type(box, '科')
    expect(screen.queryByText(/粘贴的地址在/)).toBeNull()
  })

  it('waits for the pasted text, also when the parser is already loaded', async () => {
    const { box, onChange } = renderAddressField('110108')
    paste(box, fullAddress)
    await Promise.resolve()
    expect(onChange).not.toHaveBeenCalled()
    await waitFor(() => expect(onChange).toHaveBeenCalledWith('中关村大街27号'))
  })

  it('keeps existing text and text typed while the address is parsed', async () => {
    const { box, onChange } = renderAddressField('', '科苑路 1 号')
    box.setSelectionRange(8, 8)
    paste(box, '13912345678')
    fireEvent.change(box, { target: { value: '科苑路 1 号13912345678，三楼' } })
    await waitFor(() => expect(box).toHaveValue('科苑路 1 号，三楼'))
    box.setSelectionRange(0, 8)
    paste(box, fullAddress)
    fireEvent.change(box, { target: { value: `${fullAddress}，三楼` } })
    await waitFor(() => expect(box).toHaveValue('中关村大街27号，三楼'))
    expect(onChange).toHaveBeenCalled()
    box.setSelectionRange(0, box.value.length)
    paste(box, `${fullAddress.replaceAll(' ', '\n')}\n`)
    fireEvent.change(box, { target: { value: `${fullAddress}，五楼` } })
    await waitFor(() => expect(box).toHaveValue('中关村大街27号，五楼'))
  })

  it('fills an empty region, and ignores a street alone or an ambiguous area', async () => {
    const { box, onChange, onTake } = renderAddressField('')
    paste(box, '科苑路 1 号')
    paste(box, '李四 13912345678 朝阳区建国路88号')
    paste(box, '李四 13912345678 湖南省长沙市芙蓉中路1号')
    paste(box, fullAddress)
    await waitFor(() => expect(onTake).toHaveBeenCalledWith(expectedParts, ''))
    expect(onChange.mock.calls).toEqual([['中关村大街27号']])
  })
})

describe('AddressItems', () => {
  type Contact = { areaCode?: string; address?: string; contact?: string; phone?: string }
  const schema = ManufacturerDraft

  async function renderItems(initial: Contact) {
    let form: ReturnType<typeof Form.useForm<Contact>>[0] | undefined
    function Page() {
      ;[form] = Form.useForm<Contact>()
      return (
        <Form form={form} initialValues={initial}>
          <AddressItems schema={schema} person="contact" />
          <Form.Item name="contact">
            <Input aria-label="联系人" />
          </Form.Item>
          <Form.Item name="phone">
            <Input aria-label="联系电话" />
          </Form.Item>
        </Form>
      )
    }
    render(<Page />)
    await waitFor(() => expect(screen.getByRole('combobox')).toBeEnabled())
    return {
      street: screen.getByRole<HTMLInputElement>('textbox', { name: '详细地址' }),
      values: () => form!.getFieldsValue(),
    }
  }
  const contactValues = {
    areaCode: '440305',
    address: '科苑路1号',
    contact: '张三',
    phone: '13800138000',
  }

  it('changes region and street together when the offer is accepted, and undoes both in one step', async () => {
    const { street, values } = await renderItems(contactValues)
    paste(street, '上海市徐汇区漕溪北路595号')
    await userEvent.click(await screen.findByRole('button', { name: '改为此地区' }))
    expect(values()).toMatchObject({ areaCode: '310104' })
    expect(values().address).toContain('漕溪北路595号')
    await userEvent.click(await screen.findByRole('button', { name: '恢复原内容' }))
    expect(values()).toEqual(contactValues)
    expect(screen.queryByText('已按粘贴的地址填写')).toBeNull()
  })

  it('keeps a pasted phone number in the address when the phone field has another', async () => {
    const { street, values } = await renderItems({
      ...contactValues,
      areaCode: '310104',
      address: '',
    })
    paste(street, '张三 13912345678 上海市徐汇区漕溪北路595号')
    await screen.findByText('已按粘贴的地址填写')
    expect(values()).toEqual({
      ...contactValues,
      areaCode: '310104',
      address: '漕溪北路595号 13912345678',
    })
  })

  it('restores nothing that was edited after the paste', async () => {
    const { street, values } = await renderItems({ areaCode: '310104', address: '旧址' })
    street.setSelectionRange(0, 2)
    paste(street, '张三 13912345678 上海市徐汇区漕溪北路595号')
    await screen.findByText('已按粘贴的地址填写')
    fireEvent.change(screen.getByLabelText('联系人'), { target: { value: '李四' } })
    await userEvent.click(screen.getByRole('button', { name: '恢复原内容' }))
    expect(values()).toEqual({
      areaCode: '310104',
      address: '旧址',
      contact: '李四',
      phone: undefined,
    })
  })

  it('restores what an address pasted into the region replaced', async () => {
    const { values } = await renderItems(contactValues)
    paste(screen.getByRole('combobox'), '上海市徐汇区漕溪北路595号')
    await waitFor(() =>
      expect(values()).toMatchObject({ areaCode: '310104', address: '漕溪北路595号' }),
    )
    await userEvent.click(await screen.findByRole('button', { name: '恢复原内容' }))
    expect(values()).toEqual(contactValues)
  })
})

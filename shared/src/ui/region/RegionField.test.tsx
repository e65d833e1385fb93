import '@testing-library/jest-dom'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { clearCache } from 'ahooks'
import { Form } from 'antd'
import { useState } from 'react'
import { AddressField } from './AddressField'
import { RegionField } from './RegionField'
import type { RegionPickerProps } from './RegionPicker'

beforeEach(() => {
  localStorage.clear()
  // Each test meets a picker that has loaded nothing yet.
  clearCache()
})

type Values = { areaCode?: string }

/** Renders the field in a form and waits until it is loaded. */
async function show(initial: Values, props: RegionPickerProps = {}) {
  const saved = jest.fn<void, [Values]>()
  let form: ReturnType<typeof Form.useForm<Values>>[0] | undefined
  function Page() {
    ;[form] = Form.useForm<Values>()
    return (
      <Form form={form} initialValues={initial} onFinish={saved}>
        <Form.Item name="areaCode" label="省市区">
          <RegionField {...props} />
        </Form.Item>
      </Form>
    )
  }
  render(<Page />)
  const box = await waitFor(() => {
    const found = screen.getByRole('combobox')
    if (!props.disabled) expect(found).toBeEnabled()
    return found
  })
  return {
    box,
    saved,
    code: () => form!.getFieldValue('areaCode') as string | undefined,
    save: () => act(async () => form!.submit()),
  }
}

/** The text stands on the screen, perhaps once more for a screen reader. */
const sees = async (text: string) => expect(await screen.findAllByText(text)).not.toEqual([])

// The list of antd reads keyCode, which user-event leaves out.
const pressEnter = (box: HTMLElement) => fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })

const paste = (box: HTMLElement, text: string) =>
  fireEvent.paste(box, { clipboardData: { getData: () => text } })

describe('RegionField', () => {
  it('is filled in columns, with the keyboard only', async () => {
    const { box, code } = await show({})
    await userEvent.click(box)
    const columns = await screen.findAllByRole('listbox')
    expect(columns.map((column) => column.getAttribute('aria-label'))).toEqual(['省', '市', '区县'])
    await userEvent.keyboard(
      '{Home}{ArrowDown}{ArrowDown}{ArrowRight}{ArrowDown}{Enter}{ArrowDown}{Enter}',
    )
    expect(code()).toBe('130102')
    await sees('河北省 / 石家庄市 / 长安区')
  })

  it('chooses single cities and single areas itself', async () => {
    const { box, code } = await show({})
    await userEvent.click(box)
    await userEvent.click(await screen.findByRole('option', { name: '北京市' }))
    expect(
      within(screen.getByRole('listbox', { name: '区县' })).getByText('东城区'),
    ).toBeInTheDocument()
    await userEvent.click(screen.getByRole('option', { name: '广东省' }))
    await userEvent.click(screen.getByRole('option', { name: '东莞市' }))
    expect(code()).toBe('441900')
  })

  it('is filled by typing initials, and remembers the choice', async () => {
    const { box, code } = await show({})
    await userEvent.type(box, 'szns')
    await sees('广东省 / 深圳市 / 南山区')
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

  it('takes an Enter that comes before the results', async () => {
    const { box, code } = await show({})
    // In one task: nothing can be loaded in between.
    fireEvent.change(box, { target: { value: 'szns' } })
    pressEnter(box)
    await waitFor(() => expect(code()).toBe('440305'))
  })

  it('takes an Enter between the arrival of the data and its first drawing', async () => {
    const { box, code } = await show({})
    fireEvent.change(box, { target: { value: 'szns' } })
    await import('region-data/search')
    // What was loaded is handed over; nothing is drawn in between.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
    pressEnter(box)
    await waitFor(() => expect(code()).toBe('440305'))
  })

  it('takes the first result, or the one the arrows went to', async () => {
    const { box, code } = await show({})
    await userEvent.type(box, '鼓楼区')
    await sees('福建省 / 福州市 / 鼓楼区')
    const shown = screen.getAllByTitle(/鼓楼区$/).map(({ title }) => title)
    pressEnter(box)
    await sees(shown[0]!)
    const first = code()
    await userEvent.type(box, '鼓楼区')
    await sees('福建省 / 福州市 / 鼓楼区')
    fireEvent.keyDown(box, { key: 'ArrowDown', keyCode: 40 })
    fireEvent.keyDown(box, { key: 'ArrowDown', keyCode: 40 })
    await act(async () => {})
    pressEnter(box)
    await sees(shown[2]!)
    expect(code()).not.toBe(first)
  })

  it('takes nothing for an Enter after which something else was typed', async () => {
    const { box, code } = await show({})
    fireEvent.change(box, { target: { value: 'szns' } })
    pressEnter(box)
    fireEvent.change(box, { target: { value: 'szft' } })
    await sees('广东省 / 深圳市 / 福田区')
    expect(code()).toBeUndefined()
  })

  it('shows equal names with their full paths', async () => {
    const { box } = await show({})
    await userEvent.type(box, '鼓楼区')
    for (const path of ['江苏省 / 南京市', '江苏省 / 徐州市', '福建省 / 福州市', '河南省 / 开封市'])
      await sees(`${path} / 鼓楼区`)
  })

  it('takes a pasted address and hands over the rest', async () => {
    const onAddress = jest.fn()
    const { box, code } = await show({}, { onAddress })
    paste(box, '张三 13800138000 广东省深圳市南山区科技园南路1号')
    await waitFor(() => expect(code()).toBe('440305'))
    expect(onAddress).toHaveBeenCalledWith({
      address: '科技园南路1号',
      person: '张三',
      phone: '13800138000',
    })
  })

  it('asks when a pasted address leaves the area open', async () => {
    const onAddress = jest.fn()
    const { box, code } = await show({}, { onAddress })
    paste(box, '朝阳区建国路88号')
    const [option] = await screen.findAllByTitle('北京市 / 朝阳区')
    expect(code()).toBeUndefined()
    await userEvent.click(option!)
    expect(code()).toBe('110105')
    expect(onAddress).toHaveBeenCalledWith({ address: '建国路88号' })
  })

  it('offers the one successor of an abolished code, and rewrites nothing by itself', async () => {
    const { code, save, saved } = await show({ areaCode: '330103' })
    await sees('浙江省 / 杭州市 / 下城区（已撤并）')
    await save()
    await waitFor(() => expect(saved).toHaveBeenCalledWith({ areaCode: '330103' }))
    await userEvent.click(screen.getByRole('button', { name: '改为拱墅区' }))
    expect(code()).toBe('330105')
    expect(screen.queryByRole('status')).not.toBeInTheDocument()
  })

  it('asks which of several successors it is', async () => {
    const { code } = await show({ areaCode: '330104' })
    expect(await screen.findByRole('status')).toHaveTextContent('江干区已撤并，现分属多地')
    await userEvent.click(screen.getByRole('button', { name: '改为钱塘区' }))
    expect(code()).toBe('330114')
  })

  it('shows an unknown code as it is', async () => {
    await show({ areaCode: '999999' })
    await sees('未知代码 999999')
  })

  it('can be disabled', async () => {
    const { box, code } = await show({ areaCode: '440305' }, { disabled: true })
    await sees('广东省 / 深圳市 / 南山区')
    expect(box).toBeDisabled()
    paste(box, '北京市海淀区中关村大街27号')
    expect(code()).toBe('440305')
  })

  it('can be cleared with the mouse and with the keyboard', async () => {
    const { box, code } = await show({ areaCode: '440305' })
    await sees('广东省 / 深圳市 / 南山区')
    await userEvent.click(document.querySelector('.ant-select-clear')!)
    expect(code()).toBeUndefined()
    await userEvent.type(box, '440306')
    await sees('广东省 / 深圳市 / 宝安区')
    pressEnter(box)
    expect(code()).toBe('440306')
    await userEvent.keyboard('{Delete}')
    expect(code()).toBeUndefined()
  })
})

describe('AddressField', () => {
  const show = (region: string) => {
    const [onChange, onRegion, onAddress] = [jest.fn(), jest.fn(), jest.fn()]
    const Page = () => {
      const [value, setValue] = useState('')
      onChange.mockImplementation(setValue)
      return <AddressField {...{ value, region, onChange, onRegion, onAddress }} />
    }
    render(<Page />)
    return { box: screen.getByRole('textbox'), onChange, onRegion, onAddress }
  }
  const whole = '李四 13912345678 北京市海淀区中关村大街27号'

  it('takes a whole address apart and offers the region it names', async () => {
    const { box, onChange, onRegion, onAddress } = show('440305')
    paste(box, whole)
    expect(await screen.findByText('粘贴的地址在 北京市 / 海淀区')).toBeInTheDocument()
    expect(onChange).toHaveBeenCalledWith('中关村大街27号')
    expect(onAddress).toHaveBeenCalledWith({
      address: '中关村大街27号',
      person: '李四',
      phone: '13912345678',
    })
    expect(onRegion).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: '改为此地区' }))
    expect(onRegion).toHaveBeenCalledWith('110108')
    await userEvent.clear(box)
    expect(screen.queryByText(/粘贴的地址在/)).toBeNull()
  })

  it('offers a region pasted alone until something else stands there', async () => {
    const { box, onRegion } = show('440305')
    paste(box, '北京市海淀区')
    await screen.findByText('粘贴的地址在 北京市 / 海淀区')
    await userEvent.type(box, '科')
    expect(screen.queryByText(/粘贴的地址在/)).toBeNull()
    expect(onRegion).not.toHaveBeenCalled()
  })

  it('waits for the text to be there, also where all it needs was fetched before', async () => {
    const { box, onChange } = show('440305')
    paste(box, whole)
    await Promise.resolve()
    expect(onChange).not.toHaveBeenCalled()
    await waitFor(() => expect(onChange).toHaveBeenCalledWith('中关村大街27号'))
  })

  it('keeps what stands in the field, and what is typed while the text is read', async () => {
    let typed!: (text: string) => void
    const Page = () => {
      const [value, onChange] = useState('科苑路 1 号')
      typed = onChange
      return <AddressField {...{ value, onChange, onRegion: () => {}, onAddress: () => {} }} />
    }
    render(<Page />)
    const box = screen.getByRole<HTMLInputElement>('textbox')
    box.setSelectionRange(8, 8)
    paste(box, '13912345678')
    act(() => typed('科苑路 1 号13912345678，三楼'))
    await waitFor(() => expect(box).toHaveValue('科苑路 1 号，三楼'))
    box.setSelectionRange(0, 8)
    paste(box, whole)
    act(() => typed(`${whole}，三楼`))
    await waitFor(() => expect(box).toHaveValue('中关村大街27号，三楼'))
  })

  it('fills an empty region, and leaves a street alone', async () => {
    const { box, onChange, onRegion } = show('')
    paste(box, '科苑路 1 号')
    paste(box, whole)
    await waitFor(() => expect(onRegion).toHaveBeenCalledWith('110108'))
    expect(onChange.mock.calls).toEqual([['中关村大街27号']])
  })
})

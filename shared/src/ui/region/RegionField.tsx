import { Select, type SelectProps } from 'antd'
import { lazy, Suspense } from 'react'

const RegionPicker = lazy(() =>
  import('./RegionPicker').then(({ RegionPicker }) => ({ default: RegionPicker })),
)
const RegionText = lazy(() =>
  import('./RegionText').then(({ RegionText }) => ({ default: RegionText })),
)

export type RegionFieldProps = Pick<
  SelectProps,
  'id' | 'disabled' | 'size' | 'status' | 'placeholder'
> & {
  /** The 6-digit area code. */
  value?: string
  onChange?: (code: string | undefined) => void
  readOnly?: boolean
  /** What a pasted address says after province, city and area. */
  onAddressRest?: (rest: string) => void
}

/**
 * Province, city and area as one form field; the data is loaded when the field is first shown. An area is found by
 * typing a name, joined names, pinyin, initials or a code, in columns, or by pasting an address. An abolished code keeps
 * its old name until the operator takes the offer.
 * @example
 * <Form.Item name="areaCode" label="省市区" rules={[regionRule]}>
 *   <RegionField onAddressRest={(address) => form.setFieldsValue({ address })} />
 * </Form.Item>
 */
export function RegionField({
  readOnly,
  placeholder = '选择省市区，可输入拼音或粘贴地址',
  ...props
}: RegionFieldProps) {
  if (readOnly)
    return (
      <Suspense fallback={props.value}>
        <RegionText code={props.value} />
      </Suspense>
    )
  return (
    <Suspense
      fallback={
        <Select id={props.id} size={props.size} disabled loading style={{ width: '100%' }} />
      }
    >
      <RegionPicker placeholder={placeholder} {...props} />
    </Suspense>
  )
}

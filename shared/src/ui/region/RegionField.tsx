import { lazyPart } from '../lazyPart'
import { Select } from '../select'
import type { RegionPickerProps } from './RegionPicker'

const RegionPicker = lazyPart<RegionPickerProps>(
  () => import('./RegionPicker').then(({ RegionPicker }) => ({ default: RegionPicker })),
  ({ id, size }) => <Select id={id} size={size} disabled loading style={{ width: '100%' }} />,
)
/**
 * Province, city and area as one form field, whose data loads when the field is first shown. Users find an area by
 * typing a name, joined names, pinyin, initials or a code, by columns, or by pasting an address. An abolished code
 * keeps its old name until the user accepts a successor.
 * @example
 * <Form.Item {...field(BrandDraft, 'areaCode')}>
 *   <RegionField onAddress={({ address }) => form.setFieldsValue({ address })} />
 * </Form.Item>
 */
export const RegionField = ({
  placeholder = '选择省市区，可输入拼音或粘贴地址',
  ...props
}: RegionPickerProps) => <RegionPicker placeholder={placeholder} {...props} />

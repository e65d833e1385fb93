/** The register of Chinese websites; the record number of a site must link to it. */
export const icpRegisterUrl = 'https://beian.miit.gov.cn/'

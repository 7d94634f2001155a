/** The model that quotes passages without a model.  Always listed, and not a choice for users. */
export const EXTRACTIVE = 'extractive';

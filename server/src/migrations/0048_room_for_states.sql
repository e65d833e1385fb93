-- A state is written beside the former one, on the same page, and the ten indexes of the table stay as they are: half the time.
ALTER TABLE "device" SET (fillfactor = 50);

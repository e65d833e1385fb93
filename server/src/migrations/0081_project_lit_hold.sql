ALTER TABLE "project" ADD COLUMN "lit_hold_minutes" integer DEFAULT 15 NOT NULL;

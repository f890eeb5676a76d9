"""One transaction of many rows and savepoints, some of them rolled back, streamed."""
import os

from reading import above, read_both

# A savepoint in ten is rolled back, and of each group of a hundred every tenth
# as a whole, inner ones and all.
LOAD = """
DO $$
DECLARE
	each int := @rows@ / @savepoints@;
BEGIN
	FOR outer_one IN 1..@savepoints@ / 100 LOOP
		BEGIN
			FOR inner_one IN 1..99 LOOP
				BEGIN
					INSERT INTO many SELECT g, outer_one, -g, 'row number ' || g FROM generate_series(1, each) g;
					IF inner_one % 10 = 0 THEN
						RAISE EXCEPTION 'inner';
					END IF;
				EXCEPTION WHEN raise_exception THEN NULL;
				END;
			END LOOP;
			IF outer_one % 10 = 0 THEN
				RAISE EXCEPTION 'outer';
			END IF;
		EXCEPTION WHEN raise_exception THEN NULL;
		END;
	END LOOP;
END $$;
"""
ALLOWED_KB = 4096


def check(publisher):
    rows = int(os.environ.get('ROWS') or 20000000)
    reports, problems = read_both(publisher, 'transaction', dict(
        sizes=dict(rows=rows, savepoints=min(100000, rows // 20)),
        setup="""
CREATE TABLE many (id bigint, a int, b int, t text);
CREATE PUBLICATION pub FOR TABLE many;
""",
        load=[LOAD], expect='SELECT count(*) FROM many', options=dict(streaming='on'),
        set=dict(logical_decoding_work_mem='1MB')))
    return problems + above(reports, 'peak_kb', ALLOWED_KB)

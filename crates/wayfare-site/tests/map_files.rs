//! Grids as files of other programs: what is written reads back as the same world.

use wayfare::search::AlgorithmId;
use wayfare_formats::MemoryFiles;
use wayfare_site::{
    Endpoints, GroundCost, Layout, MapFormat, NoFiles, OpenOptions, SearchRequest, Site, map_file,
    open, open_bytes, open_from,
};

fn open_again(bytes: &[u8], legend: Option<String>, format: MapFormat) -> Box<dyn Site> {
    let name = format!("again.{}", format.extension());
    let mut files = MemoryFiles::new().with(&name, bytes);
    if let Some(legend) = legend {
        files = files.with("again.png.toml", legend.as_bytes());
    }
    open_from(&name, &files, &OpenOptions::default()).unwrap()
}

/// What a cell is to a walker: whether it may enter, and at which cost.
fn prices(site: &dyn Site) -> Vec<Option<(String, String)>> {
    let Layout::Cells(cells) = site.layout() else { panic!("a grid") };
    let price = |ground: &u8| {
        let look = &cells.grounds[usize::from(*ground)];
        look.is_open.then(|| (look.multiplier.to_string(), look.penalty.to_string()))
    };
    cells.ground.iter().map(price).collect()
}

fn cost(site: &dyn Site, ends: Endpoints) -> Option<f64> {
    let report = site.searcher().run(&SearchRequest::new(AlgorithmId::AStar, ends), &mut |_| ());
    report.is_found().then(|| report.cost() as f64 / site.about().unit_cost)
}

fn world(name: &str) -> Box<dyn Site> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds").join(name);
    open(&path, &OpenOptions::default()).unwrap()
}

#[test]
fn painted_grids_read_back_as_they_are() {
    for name in ["village.tmj", "two-islands.txt", "maze.txt", "cave.map"] {
        let mut site = world(name);
        let Layout::Cells(cells) = site.layout() else { panic!("{name}") };
        let wall = cells.grounds.iter().find(|ground| !ground.is_open).unwrap().name.clone();
        let painted: Vec<(u32, &str)> =
            (0..cells.width.min(9)).map(|x| (cells.first + cells.stride * 3 + x, &*wall)).collect();
        site.set_ground(&painted).unwrap();
        let ends = site.routes().first().map_or_else(
            || Endpoints { start: cells.first, goal: cells.first + cells.stride * 2 + 2 },
            |route| route.ends,
        );
        for format in MapFormat::ALL {
            let file = match map_file(site.as_ref(), ends, format) {
                Ok(file) => file,
                // It cannot say what grounds cost, and says which.
                Err(fault) if format == MapFormat::MovingAi => {
                    assert!(fault.to_string().contains("cannot say what terrain"), "{fault}");
                    assert_eq!(name, "village.tmj");
                    continue;
                }
                Err(fault) => panic!("{name} as {format:?}: {fault}"),
            };
            let again = open_again(&file.bytes, file.legend, format);
            assert!(prices(site.as_ref()) == prices(again.as_ref()), "{name} as {format:?}");
            let same = |state: u32| again.find(&site.place(state).to_string()).unwrap();
            let [start, goal] = [ends.start, ends.goal].map(same);
            let costs =
                [cost(site.as_ref(), ends), cost(again.as_ref(), Endpoints { start, goal })];
            assert_eq!(costs[0], costs[1], "{name} as {format:?}");
            // Text keeps the ends.
            if format == MapFormat::Text {
                assert_eq!(again.routes()[0].ends, Endpoints { start, goal }, "{name}");
            }
        }
    }
}

#[test]
fn costs_that_were_set_are_written() {
    let map = b"legend\n. road\n~ mud\n# wall walkable=false\nmap\n..~~\n.##~\n....\n";
    let mut site = open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default()).unwrap();
    let mud = GroundCost { is_open: true, multiplier: 2.5, penalty: 3.0 };
    site.set_ground_cost("mud", mud).unwrap();
    let ends = Endpoints { start: site.find("0,0").unwrap(), goal: site.find("3,1").unwrap() };
    for format in [MapFormat::Text, MapFormat::Tiled, MapFormat::Png] {
        let file = map_file(site.as_ref(), ends, format).unwrap();
        let again = open_again(&file.bytes, file.legend, format);
        assert_eq!(prices(site.as_ref()), prices(again.as_ref()), "{format:?}");
    }
    let fault = map_file(site.as_ref(), ends, MapFormat::MovingAi).unwrap_err().to_string();
    assert!(fault.contains("mud") && fault.contains(".txt"), "{fault}");
}

#[test]
fn only_grids_are_maps() {
    let site = world("village.toml");
    let ends = Endpoints { start: 0, goal: 1 };
    let fault = map_file(site.as_ref(), ends, MapFormat::Text).unwrap_err().to_string();
    assert!(fault.contains("only grids"), "{fault}");
    assert_eq!(
        "scene".parse::<MapFormat>(),
        Err("no format of maps is called 'scene'; known: map, txt, tmj, png".to_owned())
    );
}
